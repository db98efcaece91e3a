import type { ContentFormat, Manifest, MediaKind } from '@carillon/contract'
import { StartError } from '../../infra/problem/start-error.ts'
import { makeDocument, makePicture, makeVideo, type TestFile } from './make-files.ts'

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
