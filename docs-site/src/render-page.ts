import GithubSlugger from 'github-slugger'
import hljs from 'highlight.js/lib/common'
import MarkdownIt, { type Token } from 'markdown-it'
import { addressOf, type Heading, type Page, type SearchSection, type SourceLink } from './page.ts'
import { resolveLink } from './resolve-link.ts'

export type PageSource = {
  path: string
  text: string
  /** Where a link leads that points to a file of the repository outside of the documents. */
  repositoryUrl: string
}

const markdown = new MarkdownIt({ html: true, linkify: false, highlight: highlightCode })

// A wide table scrolls inside its own box, so that the page never scrolls sideways. The box can be focused and scrolled with the keyboard.
markdown.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n'
markdown.renderer.rules['table_close'] = () => '</table></div>\n'

/** One Markdown file as HTML, with what the navigation, the search and the check of links need to know about it. */
export function renderPage({ path, text, repositoryUrl }: PageSource): Page {
  const tokens = markdown.parse(text, {})
  const headings = labelHeadings(tokens)
  const links = rewriteLinks(tokens, path, repositoryUrl)
  const title = headings.find(({ level }) => level === 1)?.text
  if (!title) throw new Error(`docs/${path} has no heading of the first level, which is the title of the page.`)
  return {
    path,
    address: addressOf(path),
    title,
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings,
    links,
    sections: readSections(tokens, title),
  }
}

/** Gives every heading the id that a repository's page gives it, so that the same links work in both places. */
function labelHeadings(tokens: readonly Token[]): Heading[] {
  const slugger = new GithubSlugger()
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return []
    const text = plainText(tokens[at + 1])
    const id = slugger.slug(text)
    token.attrSet('id', id)
    return [{ level: Number(token.tag.slice(1)), id, text }]
  })
}

function rewriteLinks(tokens: readonly Token[], path: string, repositoryUrl: string): SourceLink[] {
  // The tokens of table cells have no position, their rows do.
  let line = 1
  return tokens.flatMap((token) => {
    line = (token.map?.[0] ?? line - 1) + 1
    return (token.children ?? []).flatMap((child) => {
      const name = child.type === 'link_open' ? 'href' : child.type === 'image' ? 'src' : undefined
      if (!name) return []
      const href = String(child.attrGet(name) ?? '')
      child.attrSet(name, resolveLink({ path, href, repositoryUrl }))
      return [{ href, line }]
    })
  })
}

function readSections(tokens: readonly Token[], title: string): SearchSection[] {
  const sections: { id: string; heading: string; words: string[] }[] = [{ id: '', heading: title, words: [] }]
  tokens.forEach((token, at) => {
    if (token.type === 'heading_open' && token.tag !== 'h1')
      sections.push({ id: String(token.attrGet('id') ?? ''), heading: plainText(tokens[at + 1]), words: [] })
    else if (token.type === 'fence') sections.at(-1)?.words.push(token.content)
    else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') sections.at(-1)?.words.push(plainText(token))
  })
  return sections.map(({ id, heading, words }) => ({ id, heading, text: words.join(' ').replaceAll(/\s+/g, ' ') }))
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : type === 'html_inline' ? '' : content))
    .join('')
}

function highlightCode(code: string, language: string): string {
  const body = hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : markdown.utils.escapeHtml(code)
  return `<pre tabindex="0"><code>${body}</code></pre>`
}
