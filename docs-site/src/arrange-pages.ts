import type { Page } from './page.ts'

export type NavigationSection = {
  title: string
  /** Sources below `docs/`, in the order in which they are shown. */
  pages: readonly string[]
  /** A folder whose other pages follow in alphabetical order. */
  rest?: string
}

export type ArrangedSection = { title: string; pages: readonly Page[] }

/** The sections with their pages, and what does not fit: a page that does not exist, or that no section has. */
export function arrangePages(
  sections: readonly NavigationSection[],
  pages: readonly Page[],
): { arranged: ArrangedSection[]; problems: string[] } {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const named = new Set(sections.flatMap((section) => section.pages))
  const missing = [...named].filter((path) => !byPath.has(path))
  const arranged = sections.map(({ title, pages: paths, rest }) => ({
    title,
    pages: [
      ...paths.flatMap((path) => byPath.get(path) ?? []),
      ...(rest !== undefined ? pages.filter(({ path }) => path.startsWith(rest) && !named.has(path)) : []),
    ],
  }))
  const shown = new Set(arranged.flatMap((section) => section.pages.map(({ path }) => path)))
  return {
    arranged: arranged.filter((section) => section.pages.length > 0),
    problems: [
      ...missing.map((path) => `docs-site/navigation.data.ts names ${path}, which does not exist in docs/.`),
      ...pages
        .filter(({ path }) => !shown.has(path))
        .map(({ path }) => `docs/${path} is in no section of docs-site/navigation.data.ts, so readers could not find it.`),
    ],
  }
}
