import type { Call } from '../../http/call.ts'
import { flagOf, isFields, type Fields } from '../../http/fields.ts'
import type { Tag } from '../../state/entities.ts'
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
  tags: Tag[]
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
  // Only a post has the label: the changelog of 2026-06-22 names the parent of a carousel, and no story.
  if (flagOf(call.parameter('is_ai_generated')) && (isItem || kind === 'STORIES'))
    throw badParameter('Param is_ai_generated is not supported for this media.')
  checkPlace(call, { kind, isItem })
  const tags = readTags(call, { kind, isItem })
  const children = readChildren(call)
  if (kind === 'CAROUSEL' && (children.length < 2 || children.length > 10)) throw badItemCount()
  if (isItem && (kind === 'REELS' || kind === 'STORIES' || kind === 'CAROUSEL')) throw badMediaType()
  return { kind, caption, alt, source: kind === 'CAROUSEL' ? undefined : readSource(call, kind), children, tags, isItem }
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

/** A place is the page of a location on Facebook, by its id. An item of a carousel and a story have none. */
function checkPlace(call: Call, { kind, isItem }: Pick<ContainerRequest, 'kind' | 'isItem'>): void {
  const place = call.parameter('location_id')
  if (place === undefined) return
  if (isItem || kind === 'STORIES' || !/^\d{5,}$/.test(place))
    throw badParameter('Param location_id must be a valid location page ID.')
}

const tagsMax = 20

/** People are tagged on a photo at a point of it, and on a video without one; on the items of a carousel, never on the carousel. */
function readTags(call: Call, { kind, isItem }: Pick<ContainerRequest, 'kind' | 'isItem'>): Tag[] {
  const given = call.parameter('user_tags')
  if (given === undefined) return []
  const tags = parseList(given)
  if (tags === undefined || tags.length > tagsMax || kind === 'CAROUSEL') throw badParameter('Invalid parameter user_tags')
  const isVideo = kind === 'REELS' || (isItem && kind === 'VIDEO')
  const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1
  return tags.map((tag) => {
    if (!isFields(tag) || typeof tag['username'] !== 'string') throw badParameter('Invalid parameter user_tags')
    if (!/^[\w.]{1,30}$/.test(tag['username'])) throw badCollaborator()
    const hasPoint = isShare(tag['x']) && isShare(tag['y'])
    if (kind === 'IMAGE' && !hasPoint) throw badParameter('The parameters x and y are required in user_tags')
    if (isVideo && (tag['x'] !== undefined || tag['y'] !== undefined)) throw badParameter('Invalid parameter user_tags')
    const { username, x, y } = tag
    return { username, ...(typeof x === 'number' && { x }), ...(typeof y === 'number' && { y }) }
  })
}

function parseList(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
