import { platforms } from '@carillon/contract'
import { findNearest } from '../infra/text/find-nearest.ts'
import { listSettings } from './list-settings.ts'
import type { Environment } from './read-settings.ts'
import type { SettingTree } from './setting.ts'

const prefix = 'CARILLON_'
// The test tools and the example programs read these; a server that they start inherits them.
const readElsewhere = /^CARILLON_(?:TEST_\w+|SERVICES_DIR|CONFORMANCE|WORLD|URL|KEY|WORKSPACE)$/

/** One sentence for each `CARILLON_…` variable that no setting reads. It is probably a typing error. */
export function findUnknownSettings(tree: SettingTree, env: Environment): string[] {
  const known = listSettings(tree).flatMap(({ setting }) => namesOf(setting.name))
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !readElsewhere.test(name) && !known.includes(name))
    .map((name) => {
      const nearest = findNearest(name, known)
      return `${name} is not a setting and has no effect.${nearest ? ` Did you mean ${nearest}?` : ''}`
    })
}

function namesOf(name: string): string[] {
  return name.includes('<PLATFORM>') ? platforms.map((platform) => name.replace('<PLATFORM>', platform.toUpperCase())) : [name]
}
