import { readFile, writeFile } from 'node:fs/promises'
import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { writeSbom } from './release/write-sbom.ts'

exitWithHelp(
  'node scripts/sbom.ts <file> [<Debian packages of the image>]   the list of all packages inside a release, as CycloneDX JSON',
)
const [file = 'carillon.cdx.json', debian] = process.argv.slice(2)
const { text, components } = await writeSbom(debian === undefined ? '' : await readFile(debian, 'utf8'))
await writeFile(file, text)
console.log(`${components} components in ${file}`)
