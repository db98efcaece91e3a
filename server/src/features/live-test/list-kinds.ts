import { crc32, deflateSync } from 'node:zlib'
import type { ContentFormat, Manifest, MediaKind, MediaRules } from '@carillon/contract'
import { StartError } from '../../infra/problem/problem.ts'
import { testVideo } from './test-video.data.ts'

/** A post of the test. */
export type Kind = {
  name: string
  /** How many posts and comments it makes. */
  posts: number
  path: '/content/text' | '/content/photos' | '/content/video' | '/content/document'
  fields: Readonly<Record<string, unknown>>
  files: () => TestFile[]
}

/** Words that people may use for the formats of a manifest. */
const otherNames: Readonly<Record<string, string>> = {
  image: 'photo',
  images: 'photo_carousel',
  carousel: 'photo_carousel',
  comment: 'first_comment',
}

type TestFile = { name: string; mimeType: string; bytes: Uint8Array<ArrayBuffer> }

const side = 1080

/** Every kind of post that the platform's manifest declares: its formats, a thread and a first comment. `mark` makes the texts unique. */
export function listKinds(manifest: Manifest, mark: string): Kind[] {
  const { formats, can } = manifest
  const simplest = manifest.text.alone ? 'text' : (formats.find((format) => format === 'photo') ?? formats[0])
  const kinds = formats.map((format) => kindOf(manifest, format, { name: format, mark }))
  if (can.thread && simplest !== undefined) {
    const further = [2, 3].map((number) => ({ text: `${textOf('thread', mark)} Post ${number} of 3.` }))
    const thread = kindOf(manifest, simplest, { name: 'thread', mark })
    kinds.push({ ...thread, posts: 3, fields: { ...thread.fields, thread: further } })
  }
  if (can.firstComment && simplest !== undefined) {
    const commented = kindOf(manifest, simplest, { name: 'first_comment', mark })
    const firstComment = `${textOf('comment', mark)} This is its first comment.`
    kinds.push({ ...commented, posts: 2, fields: { ...commented.fields, firstComment } })
  }
  return kinds
}

/** `only` is a list of names with commas. */
export function chooseKinds(kinds: readonly Kind[], only: string | null): Kind[] {
  if (only === null) return [...kinds]
  const names = only.split(',').map((name) => otherNames[name.trim()] ?? name.trim())
  const unknown = names.find((name) => kinds.every((kind) => kind.name !== name))
  if (unknown !== undefined)
    throw new StartError(`"${unknown}" is not among what this platform can have: ${kinds.map(({ name }) => name).join(', ')}.`)
  return kinds.filter(({ name }) => names.includes(name))
}

function textOf(name: string, mark: string): string {
  return `Carillon live test of ${name.replaceAll('_', ' ')}, ${mark}. This is only a test.`
}

function kindOf(manifest: Manifest, format: ContentFormat, { name, mark }: { name: string; mark: string }): Kind {
  const text = textOf(name, mark)
  const kind = { name, posts: 1 }
  if (format === 'text') return { ...kind, path: '/content/text', fields: { text }, files: () => [] }
  const media = mediaKindOf(manifest, format)
  const altText = format === 'story' ? manifest.story?.can.altText === true : true
  const files = filesOf(manifest, format, media)
  const alt = altText && manifest.altText.kinds.includes(media) ? { mediaOptions: altTexts(files().length) } : {}
  const title = manifest.title?.formats.includes(format) ? { title: 'Carillon live test' } : {}
  const path = { image: '/content/photos', video: '/content/video', document: '/content/document' } as const
  return { ...kind, path: path[media], fields: { text, contentFormat: format, ...alt, ...title }, files }
}

function mediaKindOf({ story }: Manifest, format: ContentFormat): MediaKind {
  if (format === 'document') return 'document'
  if (format === 'story') return story?.photos ? 'image' : 'video'
  return format === 'video' || format === 'short_video' ? 'video' : 'image'
}

function filesOf(manifest: Manifest, format: ContentFormat, media: MediaKind): () => TestFile[] {
  if (media === 'document') return () => [makeDocument()]
  if (media === 'video') return () => [makeVideo({ bytesMin: manifest.video?.bytesMin ?? null })]
  return () => Array.from({ length: format === 'photo_carousel' ? 2 : 1 }, (_, at) => makePicture(at + 1))
}

function altTexts(number: number): { alt: string }[] {
  return Array.from({ length: number }, (_, at) => ({ alt: `Stripes in two shades of blue, picture ${at + 1}` }))
}

/** A square of stripes, about 10 kB. Its format is changed for platforms that do not accept PNG, like that of every picture. */
function makePicture(number: number): TestFile {
  const stripe = (y: number) => [0x33, 0x66 + number * 20, Math.floor((y * 12) / side) % 2 === 0 ? 0x99 : 0xcc]
  const lines = Array.from({ length: side }, (_, y) =>
    Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, Buffer.from(stripe(y)))]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(lines))), chunk('IEND', Buffer.alloc(0))]
  return { name: `live-test-${number}.png`, mimeType: 'image/png', bytes: copy(Buffer.concat([signature, ...chunks])) }
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The video is smaller than some platforms accept, so it ends with a `free` box, which players skip. */
function makeVideo({ bytesMin }: Pick<MediaRules, 'bytesMin'>): TestFile {
  const film = Buffer.from(testVideo, 'base64')
  const padding = Buffer.alloc(Math.max((bytesMin ?? 0) + 1024 - film.length, 8))
  padding.writeUInt32BE(padding.length, 0)
  padding.write('free', 4, 'latin1')
  const isLarge = bytesMin === null || film.length > bytesMin
  return { name: 'live-test.mp4', mimeType: 'video/mp4', bytes: copy(isLarge ? film : Buffer.concat([film, padding])) }
}

/** One page with a line of text. */
function makeDocument(): TestFile {
  const text = 'BT /F1 18 Tf 40 150 Td (Carillon live test) Tj ET'
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, n) => {
    const at = file.length
    file += `${n + 1} 0 obj${object}endobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const end = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  return { name: 'live-test.pdf', mimeType: 'application/pdf', bytes: copy(Buffer.from(file + table + end, 'latin1')) }
}

function copy(bytes: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
