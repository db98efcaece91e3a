import { resolveFrom, type SourceFile, type Violation } from './imports.ts'

const checkedPage = 'docs/architecture.md'
const fencePattern = /^```.*?^```/gms
const linkPattern = /\]\(([^)\s]+)\)/g
const backtickPattern = /`([^`\s]+)`/g
const filePattern = /^[\w.-]+(?:\/[\w.-]+)+\.(?:tsx?|mjs|md|json|ya?ml|sql|sh)$/
const folderPattern = /^[\w.-]+(?:\/[\w.-]+)*\/$/

/** Every file and folder that the architecture page names exists, so that the page follows when one is moved. */
export function checkDocumentPaths(files: readonly SourceFile[]): Violation[] {
  const page = files.find(({ path }) => path === checkedPage)
  if (!page) return []
  const known = new Set(files.flatMap(({ path }) => [path, ...foldersAbove(path)]))
  // Code blocks hold drawings and commands.
  const text = page.text.replaceAll(fencePattern, '')
  const links = [...text.matchAll(linkPattern)].map(([, link = '']) => link.replace(/#.*$/, '')).filter(isLocalLink)
  const quoted = [...text.matchAll(backtickPattern)].map(([, word = '']) => word).filter((word) => looksLikePath(word, known))
  return [
    ...links.filter((link) => !known.has(resolveFrom(page.path, link)) && !known.has(`${resolveFrom(page.path, link)}/`)),
    ...quoted.filter((word) => !known.has(word)),
  ].map((path) => ({ path: page.path, problem: `names ${path}, which does not exist` }))
}

function isLocalLink(link: string): boolean {
  return link !== '' && !/^[a-z]+:/.test(link)
}

function looksLikePath(word: string, known: ReadonlySet<string>): boolean {
  if (filePattern.test(word)) return true
  // `posts/` may be part of an address, `server/src/posts/` is a folder.
  return folderPattern.test(word) && known.has(`${word.split('/')[0]}/`)
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_part, at) => `${parts.slice(0, at + 1).join('/')}/`)
}
