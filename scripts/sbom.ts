import { writeFile } from 'node:fs/promises'
import { writeSbom } from './release/write-sbom.ts'

/** `node scripts/sbom.ts <file>`: the list of all packages inside a release, as CycloneDX JSON. */
const [file = 'carillon.cdx.json'] = process.argv.slice(2)
const { text, components } = await writeSbom()
await writeFile(file, text)
console.log(`${components} components in ${file}`)
