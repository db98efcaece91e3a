import type { Call } from '../../http/call.ts'
import { flagOf, type Fields } from '../../http/fields.ts'
import { readChildren, type MetaContainer } from '../meta/container.ts'
import { badParameter } from '../meta/graph-errors.ts'
import { badCollaborator, badItemCount, badMediaType, captionTooLong } from './errors.ts'

export type ContainerKind = 'IMAGE' | 'VIDEO' | 'REELS' | 'STORIES' | 'CAROUSEL'
/** The error of an Instagram container is a subcode. */
export type Container = MetaContainer<number> & { kind: ContainerKind; caption: string; request: Fields }

const captionMax = 2200
const hashtagsMax = 30
const mentionsMax = 20
const altMax = 1000

export type ContainerRequest = {
  kind: ContainerKind
  caption: string
  alt: string
  source: { url: string; isVideo: boolean } | undefined
  children: string[]
  isItem: boolean
}

/** Checks a request to create a container, before any media is fetched. */
export function readContainer(call: Call): ContainerRequest {
  const isItem = flagOf(call.parameter('is_carousel_item'))
  const kind = kindOf(call)
  const caption = call.parameter('caption') ?? ''
  if (isTooLong(caption)) throw captionTooLong()
  const alt = call.parameter('alt_text') ?? ''
  if (alt.length > altMax) throw badParameter(`Param alt_text must be at most ${altMax} characters long.`)
  if (hasBadCollaborator(call.parameter('collaborators'))) throw badCollaborator()
  const children = readChildren(call)
  if (kind === 'CAROUSEL' && (children.length < 2 || children.length > 10)) throw badItemCount()
  if (isItem && (kind === 'REELS' || kind === 'STORIES' || kind === 'CAROUSEL')) throw badMediaType()
  return { kind, caption, alt, source: kind === 'CAROUSEL' ? undefined : readSource(call, kind), children, isItem }
}

/** A request for an image needs no media type. A video outside a carousel must be a reel or a story. */
function kindOf(call: Call): ContainerKind {
  const named = call.parameter('media_type')
  if (named === undefined || named === 'IMAGE') return 'IMAGE'
  const kind = (['REELS', 'STORIES', 'CAROUSEL', 'VIDEO'] as const).find((one) => one === named)
  if (!kind || (kind === 'VIDEO' && !flagOf(call.parameter('is_carousel_item')))) throw badMediaType()
  return kind
}

function readSource(call: Call, kind: ContainerKind): { url: string; isVideo: boolean } {
  const video = kind === 'IMAGE' ? undefined : call.parameter('video_url')
  const image = kind === 'IMAGE' || kind === 'STORIES' ? call.parameter('image_url') : undefined
  const url = video ?? image
  if (url === undefined || !URL.canParse(url)) throw badParameter('The parameter image_url or video_url is required')
  if (/[^\x20-\x7e]/.test(url)) throw badParameter('The media URL must be ASCII.')
  return { url, isVideo: video !== undefined }
}

function isTooLong(caption: string): boolean {
  const hashtags = caption.match(/#[\p{L}\p{N}_]+/gu)?.length ?? 0
  const mentions = caption.match(/(?<![\w.])@[\w.]+/g)?.length ?? 0
  return caption.length > captionMax || hashtags > hashtagsMax || mentions > mentionsMax
}

/** A name as Instagram itself writes it, with @, is refused (github.com/gitroomhq/postiz-app pull request 2088). */
function hasBadCollaborator(list: string | undefined): boolean {
  const names = (list ?? '')
    .replaceAll(/[[\]"]/g, '')
    .split(',')
    .filter(Boolean)
  return names.some((name) => !/^[\w.]{1,30}$/.test(name))
}
