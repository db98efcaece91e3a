import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { root } from '../stack/services/folders.ts'
import { changelogFile, closeChangelog, findLeftovers, readVersion, versionLines } from './release/versions.ts'

exitWithHelp(
  'node scripts/set-version.ts 1.2.0   writes the version of the next release everywhere, and closes its section of the changelog',
)
const [version = ''] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(version)) {
  console.error('Give the new version, for example: node scripts/set-version.ts 1.2.0')
  process.exit(1)
}
const before = await readVersion()
for (const { file, pattern } of versionLines) await change(file, (text) => text.replaceAll(pattern, version))
await change(changelogFile, (text) => closeChangelog(text, version, new Date().toISOString().slice(0, 10)))
const leftovers = before === version ? [] : await findLeftovers(before)
if (leftovers.length > 0) console.log(`These lines still name ${before}; look at each:\n${leftovers.join('\n')}\n`)
console.log(`Version ${version} is set. Read the changes, commit them, and tag the commit: git tag v${version}`)

async function change(file: string, edit: (text: string) => string): Promise<void> {
  const path = join(root, file)
  await writeFile(path, edit(await readFile(path, 'utf8')))
}
