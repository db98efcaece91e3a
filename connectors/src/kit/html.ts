import { cleanText } from './clean-text.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Otherwise WordPress carries out what looks like a shortcode.
  '[': '&#91;',
  ']': '&#93;',
}

/** It ends before the punctuation of the sentence that it is in. */
const webLink = /https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]/gi

/** For content and its attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"[\]]/g, escapeCharacter)
}

/** For titles, excerpts and comments, where WordPress carries nothing out. */
export function escapeText(text: string): string {
  return text.replaceAll(/[&<>]/g, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return entities[character] ?? character
}

/** A text as paragraphs, with its addresses as links: sites do not make links of them in posts. */
export function toParagraphs(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${withLinks(part).replaceAll('\n', '<br>')}</p>`)
}

function withLinks(text: string): string {
  let html = ''
  let from = 0
  for (const { 0: url, index } of text.matchAll(webLink)) {
    html += `${escapeHtml(text.slice(from, index))}<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
    from = index + url.length
  }
  return html + escapeHtml(text.slice(from))
}

/** The text of HTML: as people see it, and with the targets of its links in place of what is shown for them. */
export type HtmlText = { shown: string; withTargets: string }

type Link = { href: string; shown: string }

const anchorTag = /^\/?a(?:\s|$)/i
const lineTag = /^\/?(?:p|br|div|li|ul|ol|blockquote|pre)(?:[\s/]|$)/i

/**
 * Reads the text of HTML in one pass: every character is looked at once, whatever a server sends. The server has escaped every `<` that
 * does not start a tag. A tag without an end is dropped with all that follows.
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

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', hellip: '…' }

const entity = /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,6}));/gi

/** An entity can stand for a character that nothing here may store. */
function withoutEntities(text: string): string {
  return cleanText(text.replaceAll(entity, decode))
}

function decode(written: string, number: string | undefined, hex: string | undefined, name: string | undefined): string {
  if (name !== undefined) return characters[name] ?? written
  return String.fromCodePoint(number === undefined ? parseInt(hex ?? '0', 16) : Number(number))
}
