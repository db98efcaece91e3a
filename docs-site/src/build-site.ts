import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { arrangePages, type ArrangedSection, type NavigationSection } from './arrange-pages.ts'
import { checkLinks } from './check-links.ts'
import { copyAssets } from './copy-assets.ts'
import { indexSearch } from './index-search.ts'
import { layOutPage, type SiteVersion } from './lay-out-page.ts'
import type { Page } from './page.ts'
import { readDocuments } from './read-documents.ts'
import { renderPage } from './render-page.ts'

export type VersionSource = {
  /** What the menu shows: `v1.2.0`, or `unreleased`. */
  name: string
  /** The folder below the root of the site; empty for the one that is built now. */
  folder: string
  /** The root of the repository at this version. */
  root: string
}

export type SiteOptions = {
  versions: readonly VersionSource[]
  navigation: readonly NavigationSection[]
  repositoryUrl: string
  outFolder: string
}

type PreparedVersion = SiteVersion & {
  root: string
  pages: readonly Page[]
  pictures: readonly string[]
  sections: readonly ArrangedSection[]
}

/**
 * Writes the whole site. The first version is the one that is built now: a broken link in it, or a page that the navigation does not show,
 * fails the build before anything is written. The documents of a released version cannot be changed any more, so they are not checked.
 */
export function buildSite(options: SiteOptions): { pages: number } {
  const { navigation, repositoryUrl, outFolder } = options
  const problems: string[] = []
  const versions = options.versions.map((source, at): PreparedVersion => {
    const { texts, pictures } = readDocuments(join(source.root, 'docs'))
    const filesUrl = `${repositoryUrl}/blob/${source.name.startsWith('v') ? source.name : 'main'}`
    const pages = texts.map((each) => renderPage({ ...each, repositoryUrl: filesUrl }))
    const { arranged, problems: unarranged } = arrangePages(navigation, pages)
    if (at === 0) problems.push(...unarranged, ...checkLinks(pages, source.root))
    return { ...source, pages, pictures, sections: arranged, addresses: new Set(pages.map(({ address }) => address)) }
  })
  if (problems.length > 0) throw new Error(`The site was not built:\n  ${problems.join('\n  ')}`)
  rmSync(outFolder, { recursive: true, force: true })
  for (const version of versions) writeVersion(version, versions, join(outFolder, version.folder))
  return { pages: versions.reduce((sum, { pages }) => sum + pages.length, 0) }
}

function writeVersion(version: PreparedVersion, versions: readonly SiteVersion[], folder: string): void {
  const { pages, pictures, sections, root } = version
  copyAssets(join(folder, 'assets'))
  for (const picture of pictures) cpSync(join(root, 'docs', picture), join(folder, picture))
  writeFileSync(join(folder, 'assets/search-index.js'), indexSearch(pages))
  for (const page of pages) {
    const file = join(folder, page.address)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, layOutPage({ page, sections, version, versions }))
  }
}
