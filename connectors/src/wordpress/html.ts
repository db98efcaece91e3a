import { cleanText } from '../kit/clean-text.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Otherwise WordPress carries out what looks like a shortcode.
  '[': '&#91;',
  ']': '&#93;',
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', hellip: '…' }

/** It ends before the punctuation of the sentence that it is in. */
const link = /https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]/gi

/** For content and its attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"[\]]/g, escape)
}

/** For titles, excerpts and comments, where WordPress carries nothing out. */
export function escapeText(text: string): string {
  return text.replaceAll(/[&<>]/g, escape)
}

function escape(character: string): string {
  return entities[character] ?? character
}

/** A text as paragraphs. WordPress makes links of addresses in comments, but not in posts. */
export function toParagraphs(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${withLinks(part).replaceAll('\n', '<br>')}</p>`)
}

function withLinks(text: string): string {
  let html = ''
  let from = 0
  for (const { 0: url, index } of text.matchAll(link)) {
    html += `${escapeHtml(text.slice(from, index))}<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
    from = index + url.length
  }
  return html + escapeHtml(text.slice(from))
}

/** The text of names and messages, which WordPress answers as HTML. */
export function textOfHtml(html: string): string {
  // An entity can stand for a character that nothing here may store.
  return cleanText(html.replaceAll(/<[^<>]*>/g, ' ').replaceAll(/&(?:#(\d{1,6})|([a-z]{2,6}));/g, decode)).trim()
}

function decode(entity: string, number: string | undefined, name: string | undefined): string {
  if (number !== undefined) return String.fromCodePoint(Number(number))
  return characters[name ?? ''] ?? entity
}
