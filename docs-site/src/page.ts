export type Heading = { level: number; id: string; text: string }

/** A link as it stands in the source, for example `../errors/README.md#codes`. */
export type SourceLink = { href: string; line: number }

/** The text below one heading: what a search finds and where it leads. */
export type SearchSection = { id: string; heading: string; text: string }

export type Page = {
  /** The source below the folder of the documents: `guides/media.md`. */
  path: string
  /** The address below the root of the site: `guides/media.html`. */
  address: string
  title: string
  html: string
  headings: readonly Heading[]
  links: readonly SourceLink[]
  sections: readonly SearchSection[]
}

/** `README.md` is the page of its folder, as it is on the pages of a repository. */
export function addressOf(path: string): string {
  return path.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html')
}
