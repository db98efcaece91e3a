import { spawnSync } from 'node:child_process'
import { platforms } from '../contract/src/platforms.ts'
import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { root } from '../stack/services/folders.ts'
import { findPlaces } from './new-platform/find-places.ts'
import { writePlatform } from './new-platform/write-platform.ts'

const usage =
  'pnpm new platform <name> ["Name that people read"]   the name is lower-case letters and digits, for example `pnpm new platform pixelfed Pixelfed`'

exitWithHelp(usage)
const [what, name = '', title = name.charAt(0).toUpperCase() + name.slice(1)] = process.argv.slice(2)
if (what !== 'platform' || !/^[a-z][a-z\d]*$/.test(name)) {
  console.error(usage)
  process.exit(2)
}
if ((platforms as readonly string[]).includes(name)) {
  console.error(`There is a platform ${name} already.`)
  process.exit(2)
}

await writePlatform({ name, title, day: new Date().toISOString().slice(0, 10) })
// A process of its own: this one has loaded the lists without the new platform.
const { status } = spawnSync(process.execPath, ['scripts/generate.ts'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
if (status !== 0) process.exit(status ?? 1)

console.log(
  `${title} has its folders, and its word in contract/src/platforms.ts. It is a platform that does not exist; make it the real one:\n`,
)
for (const place of await findPlaces(name)) console.log(`  ${place}`)
console.log(
  `\nBegin with the simulator. Then: pnpm test connectors/src/${name} simulator/src/platforms/${name} scripts/new-platform`,
)
