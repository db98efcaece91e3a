/** The text of a status: as people see it, and with the targets of its links in place of what is shown for them. */
export type HtmlText = { shown: string; withTargets: string }

type Link = { href: string; shown: string }

const anchorTag = /^\/?a(?:\s|$)/i
const lineTag = /^\/?(?:p|br|div|li|ul|ol|blockquote|pre)(?:[\s/]|$)/i

/**
 * Reads the text of a status in HTML, in one pass: every character is looked at once, whatever a server sends. The server has escaped every
 * `<` that does not start a tag. A tag without an end is dropped with all that follows.
 */
export function textOfHtml(content: string): HtmlText {
  const text: HtmlText = { shown: '', withTargets: '' }
  let link: Link | null = null
  let isNewLine = false
  let from = 0
  while (from < content.length) {
    const start = content.indexOf('<', from)
    if (start !== from) {
      const part = withoutEntities(content.slice(from, start === -1 ? content.length : start))
      add(text, link, isNewLine ? `\n${part}` : part)
      isNewLine = false
    }
    const end = start === -1 ? -1 : content.indexOf('>', start)
    if (end === -1) break
    from = end + 1
    const tag = content.slice(start + 1, end)
    if (lineTag.test(tag)) isNewLine = true
    else if (anchorTag.test(tag)) {
      endLink(text, link)
      link = tag.startsWith('/') ? null : { href: readHref(tag), shown: '' }
    }
  }
  endLink(text, link)
  return text
}

function add(text: HtmlText, link: Link | null, part: string): void {
  if (link !== null) {
    link.shown += part
    return
  }
  text.shown += part
  text.withTargets += part
}

function endLink(text: HtmlText, link: Link | null): void {
  if (link === null || link.shown === '') return
  text.shown += link.shown
  text.withTargets += isLink(link) ? link.href : link.shown
}

/** Mentions and hashtags are links too, but the text contains their names and not their targets. */
function isLink({ href, shown }: Link): boolean {
  return /^https?:\/\//i.test(href) && !/^\s*[@#]/.test(shown)
}

function readHref(tag: string): string {
  if (!tag.includes('=')) return ''
  const name = /\shref=(["'])/i.exec(tag)
  if (!name) return ''
  const start = name.index + name[0].length
  const end = tag.indexOf(name[1] ?? '"', start)
  return withoutEntities(tag.slice(start, end === -1 ? tag.length : end))
}

const characters: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&apos;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
}

function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|#39|#x27|apos|nbsp|amp);/g, (entity) => characters[entity] ?? entity)
}
