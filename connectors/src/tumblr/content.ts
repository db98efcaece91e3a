import type { Draft, Media } from '../kit/connector.ts'

/** The most Unicode characters of one paragraph. */
const paragraphMax = 4096

/** It ends before the punctuation of the sentence that it is in. */
const webLink = /https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]/gi

type Range = { start: number; end: number; type: 'link'; url: string }
type Block = { type: string; [field: string]: unknown }

/** The name of a file in the request. */
export const identifierOf = (at: number) => `file-${at}`

/** A post in the Neue Post Format: the title as a heading, the files, the paragraphs, and the link as a card that Tumblr fills in. */
export function writeContent({ title, text, linkUrl, media }: Pick<Draft, 'title' | 'text' | 'linkUrl' | 'media'>): Block[] {
  const heading = title?.trim() ? [{ type: 'text', subtype: 'heading1', text: title.trim() }] : []
  const card = linkUrl !== null && media.length === 0 ? [{ type: 'link', url: linkUrl }] : []
  return [...heading, ...media.map(describeFile), ...splitText(text).map(writeParagraph), ...card]
}

/** The paragraphs of a text. One that is too long for Tumblr is divided where a line or a word ends. */
export function splitText(text: string): string[] {
  return text.split('\n\n').flatMap((paragraph) => {
    const parts: string[] = []
    let left = [...paragraph]
    while (left.length > paragraphMax) {
      const room = left.slice(0, paragraphMax + 1)
      const space = Math.max(room.lastIndexOf('\n'), room.lastIndexOf(' '))
      parts.push(left.slice(0, space > 0 ? space : paragraphMax).join(''))
      left = left.slice(space > 0 ? space + 1 : paragraphMax)
    }
    return [...parts, left.join('')]
  })
}

/** Tumblr makes no links of addresses, so they are named by their places in the text, which are counted in Unicode characters. */
function writeParagraph(text: string): Block {
  const formatting = findLinks(text)
  return { type: 'text', text, ...(formatting.length > 0 && { formatting }) }
}

function findLinks(text: string): Range[] {
  const ranges: Range[] = []
  let [characters, from] = [0, 0]
  for (const { 0: url, index } of text.matchAll(webLink)) {
    const start = characters + countCharacters(text.slice(from, index))
    characters = start + countCharacters(url)
    from = index + url.length
    if (URL.canParse(url)) ranges.push({ start, end: characters, type: 'link', url })
  }
  return ranges
}

const countCharacters = (text: string) => [...text].length

function describeFile({ kind, mimeType, width, height, alt }: Media, at: number): Block {
  const size = { ...(width !== null && { width }), ...(height !== null && { height }) }
  const media = { type: mimeType, identifier: identifierOf(at), ...size }
  if (kind === 'video') return { type: 'video', media }
  return { type: 'image', media: [media], ...(alt !== '' && { alt_text: alt }) }
}
