import { posix } from 'node:path'
import { addressOf } from './page.ts'

type LinkSource = { path: string; href: string; repositoryUrl: string }

export function isExternal(href: string): boolean {
  return /^[a-z][a-z+.-]*:/i.test(href)
}

/** A link's target below the root of the repository, and the heading in it. A folder stands for its README. */
export function targetOf(path: string, href: string): { file: string; anchor: string } {
  const [relative = '', anchor = ''] = href.split('#')
  const source = posix.join('docs', path)
  const file = relative === '' ? source : posix.join(posix.dirname(source), decodeURI(relative))
  return { file: file.replace(/\/$/, ''), anchor }
}

/** The address that a link has on the site. Files outside of the documents are shown by the repository's own pages. */
export function resolveLink({ path, href, repositoryUrl }: LinkSource): string {
  if (isExternal(href)) return href
  const { file, anchor } = targetOf(path, href)
  const hash = anchor && `#${anchor}`
  if (file !== 'docs' && !file.startsWith('docs/')) return `${repositoryUrl}/${file}${hash}`
  const below = file === 'docs' ? '' : file.slice('docs/'.length)
  const isFolder = !posix.extname(below)
  const target = isFolder ? posix.join(below, 'index.html') : addressOf(below)
  return `${posix.relative(posix.dirname(addressOf(path)), target)}${hash}`
}
