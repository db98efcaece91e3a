import { platforms } from '@carillon/contract'
import { listSettings } from './list-settings.ts'
import type { Environment } from './read-settings.ts'
import type { SettingTree } from './setting.ts'

const prefix = 'CARILLON_'
// The test tools and the example programs read these; a server that they start inherits them.
const readElsewhere = /^CARILLON_(?:TEST_\w+|SERVICES_DIR|CONFORMANCE|WORLD|URL|KEY|WORKSPACE)$/
const typosMax = 3

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

function findNearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known.map((each) => ({ each, typos: editDistance(name, each) })).toSorted((a, b) => a.typos - b.typos)
  const [best] = ranked
  return best && best.typos <= typosMax ? best.each : undefined
}

/** The number of letters to insert, remove or replace that turns one word into the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
