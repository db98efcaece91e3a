import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { navigation, repositoryUrl } from './navigation.data.ts'
import { buildSite } from './src/build-site.ts'
import { listReleases, nameVersion } from './src/list-releases.ts'

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(
    'pnpm site [--versions]   builds docs-site/dist from docs/; --versions builds the documents of every release beside it (git tags v…)',
  )
  process.exit(0)
}
const root = join(import.meta.dirname, '..')
const outFolder = join(import.meta.dirname, 'dist')
const workFolder = mkdtempSync(join(tmpdir(), 'carillon-docs-'))
try {
  const releases = process.argv.includes('--versions') ? listReleases(root, workFolder) : []
  const begin = performance.now()
  const { pages } = buildSite({
    versions: [{ name: nameVersion(root), folder: '', root }, ...releases],
    navigation,
    repositoryUrl,
    outFolder,
  })
  console.log(
    `${pages} pages in docs-site/dist (${((performance.now() - begin) / 1000).toFixed(1)} s). Open docs-site/dist/index.html.`,
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(workFolder, { recursive: true, force: true })
}
