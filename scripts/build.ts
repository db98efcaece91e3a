import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { root } from '../stack/services/folders.ts'
import { buildPackage } from './package/build-package.ts'

exitWithHelp('pnpm build [--out FOLDER]   builds the program, with the web app, into dist or the folder')
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } })
const folder = resolve(root, values.out)
await buildPackage(folder)
console.log(`built ${folder}; start it with: node ${values.out}/carillon.js serve`)
