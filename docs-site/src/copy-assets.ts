import { copyFileSync, cpSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const ours = join(import.meta.dirname, '../assets')

/** The style, the scripts and the fonts: the site loads nothing from another host. */
export function copyAssets(folder: string): void {
  mkdirSync(folder, { recursive: true })
  cpSync(ours, folder, { recursive: true })
  const search = join(dirname(require.resolve('minisearch')), '../umd/index.js')
  copyFileSync(search, join(folder, 'minisearch.js'))
  for (const font of ['fraunces', 'instrument-sans']) {
    const files = join(dirname(require.resolve(`@fontsource-variable/${font}/package.json`)), 'files')
    copyFileSync(join(files, `${font}-latin-wght-normal.woff2`), join(folder, `${font}.woff2`))
  }
}
