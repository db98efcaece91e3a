import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from './page.ts'
import { isExternal, targetOf } from './resolve-link.ts'

/** Every link whose file or heading does not exist, one line each. Links to other sites are not requested. */
export function checkLinks(pages: readonly Page[], root: string): string[] {
  const pageOf = new Map(pages.map((page) => [`docs/${page.path}`, page]))
  return pages.flatMap((page) =>
    page.links.flatMap(({ href, line }) => {
      if (isExternal(href)) return []
      const { file, anchor } = targetOf(page.path, href)
      const place = `docs/${page.path}:${line}`
      const absolute = join(root, file)
      if (!existsSync(absolute)) return [`${place}: the link to ${href} leads to ${file}, which does not exist.`]
      const target = pageOf.get(file) ?? pageOf.get(`${file}/README.md`)
      if (statSync(absolute).isDirectory() && file.startsWith('docs') && !target)
        return [`${place}: the link to ${href} leads to a folder without a README.md.`]
      if (anchor && target && !target.headings.some(({ id }) => id === anchor))
        return [`${place}: the link to ${href} leads to a heading that ${file} does not have.`]
      return []
    }),
  )
}
