import { isFields, listOf, numberOf, textOf, type Fields } from '../../http/fields.ts'
import type { Upload } from '../../http/read-multipart.ts'
import { badBlock, badMedia, refusal } from './errors.ts'

const limits = { blocks: 1000, images: 30, videos: 10, nativeVideos: 1, links: 10, inlineLinks: 100, text: 4096, alt: 4096 }
const imageBytesMax = 10_000_000
const videoBytesMax = 500_000_000
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

/** A file of the request, and the block that shows it. */
type PlacedFile = Upload & { identifier: string; alt: string }

export type Content = { blocks: Fields[]; text: string; files: PlacedFile[]; video: PlacedFile | undefined }

export function countText(text: string): number {
  return [...text].length
}

/** The words of a post are its paragraphs; its heading is its title. */
export function textOfBlocks(blocks: readonly Fields[]): string {
  const paragraphs = blocks.filter((block) => block['type'] === 'text' && block['subtype'] !== 'heading1')
  return paragraphs.map((block) => textOf(block['text']) ?? '').join('\n\n')
}

/** Reads the blocks of a new post in the Neue Post Format, with the limits that its specification names. */
export function readContent(fields: Fields, uploads: ReadonlyMap<string, Upload>): Content {
  if (!Array.isArray(fields['content'])) throw badBlock("'content' must be an array")
  const blocks = trimBlocks(listOf(fields['content']).map((block) => (isFields(block) ? block : {})))
  if (blocks.length === 0) throw badBlock('Post cannot be empty.')
  if (blocks.length > limits.blocks) throw badBlock('Too many blocks.')
  if (JSON.stringify(blocks).length > 1_000_000) throw badBlock('The post is too large.')
  const files = blocks.flatMap((block) => readBlock(block, uploads))
  const count = (type: string) => blocks.filter((block) => block['type'] === type).length
  if (count('image') > limits.images) throw badBlock('Too many images.')
  if (count('link') > limits.links) throw badBlock('Too many links.')
  const videos = files.filter(({ mime }) => mime.startsWith('video/'))
  if (count('video') > limits.videos || videos.length > limits.nativeVideos) throw badBlock('Too many videos.')
  const inline = blocks
    .flatMap((block) => listOf(block['formatting']))
    .filter((range) => isFields(range) && range['type'] === 'link')
  if (inline.length > limits.inlineLinks) throw badBlock('Too many links.')
  if (listOf(fields['layout']).some((layout) => JSON.stringify(layout).includes('carousel')))
    throw refusal(403, 0, 'Not eligible for carousels.')
  return { blocks, text: textOfBlocks(blocks), files, video: videos[0] }
}

/** Empty paragraphs at the beginning and at the end are left out. */
function trimBlocks(blocks: readonly Fields[]): Fields[] {
  const isEmpty = (block: Fields) => block['type'] === 'text' && block['text'] === ''
  const first = blocks.findIndex((block) => !isEmpty(block))
  return first === -1 ? [] : blocks.slice(first, blocks.findLastIndex((block) => !isEmpty(block)) + 1)
}

function readBlock(block: Fields, uploads: ReadonlyMap<string, Upload>): PlacedFile[] {
  switch (block['type']) {
    case 'text':
      checkText(block)
      return []
    case 'link':
      if (!URL.canParse(textOf(block['url']) ?? '')) throw badBlock("'url' must be an address")
      return []
    case 'image':
      return [readFile(block, Array.isArray(block['media']) ? block['media'][0] : undefined, uploads)]
    case 'video':
      return [readFile(block, block['media'], uploads)]
    default:
      throw badBlock("'type' is not known")
  }
}

function checkText({ text: given, formatting }: Fields): void {
  const text = typeof given === 'string' ? given : undefined
  if (text === undefined) throw badBlock("'text' must be a string")
  if (countText(text) > limits.text) throw badBlock('A text block is too long.')
  for (const range of listOf(formatting)) {
    if (!isFields(range)) throw badBlock("'formatting' must be an array of objects")
    const [start, end] = [numberOf(range['start']), numberOf(range['end'])]
    const isWithin = start !== undefined && end !== undefined && start >= 0 && start < end && end <= countText(text)
    if (!isWithin) throw badBlock("'start' and 'end' must be within the text")
    if (range['type'] === 'link' && !URL.canParse(textOf(range['url']) ?? '')) throw badBlock("'url' must be an address")
  }
}

function readFile(block: Fields, media: unknown, uploads: ReadonlyMap<string, Upload>): PlacedFile {
  const identifier = isFields(media) ? (textOf(media['identifier']) ?? '') : ''
  const upload = uploads.get(identifier)
  if (!upload) throw badBlock('A file of the post is missing.')
  const alt = textOf(block['alt_text']) ?? ''
  if (countText(alt) > limits.alt) throw badBlock("'alt_text' is too long")
  const isVideo = block['type'] === 'video'
  const isKnown = isVideo ? upload.mime === 'video/mp4' || upload.mime === 'video/quicktime' : imageTypes.includes(upload.mime)
  if (!isKnown || upload.bytes.length > (isVideo ? videoBytesMax : imageBytesMax)) throw badMedia()
  return { ...upload, identifier, alt: isVideo ? '' : alt }
}
