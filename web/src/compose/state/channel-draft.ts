import {
  countText,
  dayIn,
  findLinks,
  measureText,
  resolveLinkTags,
  tagDraft,
  tagLinks,
  type Draft,
  type DraftType,
  type LinkTags,
} from '@carillon/core'
import type { ContentFormat, MediaType, PlatformInfo, Workspace } from '@carillon/sdk'
import { filesOf, threadOf, type ComposeState, type PostFile, type TextFieldName } from './compose-state.ts'

const typeByKind: Readonly<Record<MediaType, DraftType>> = { image: 'photo', video: 'video', document: 'document' }

/** The type of a post follows from its files. */
export function postType(files: readonly PostFile[]): DraftType {
  const [first] = files
  // Several photos and videos are a carousel, whichever comes first.
  if (files.length > 1 && files.every(({ kind }) => kind !== 'document')) return 'photo'
  return first ? typeByKind[first.kind] : 'text'
}

export const formatsByType: Readonly<Record<DraftType, readonly ContentFormat[]>> = {
  text: ['text'],
  photo: ['photo', 'photo_carousel', 'story'],
  video: ['video', 'short_video', 'story'],
  document: ['document'],
}

/** What an account's field contains: its own, or the common one. */
export function fieldOf({ common, own }: ComposeState, slug: string | null, field: TextFieldName): string {
  return (slug === null ? undefined : own[slug]?.[field]) ?? common[field]
}

/** The post as it is written for one account: the same shape that the server checks. */
export function channelDraft(state: ComposeState, slug: string): Draft {
  const type = postType(state.files)
  const format = state.own[slug]?.contentFormat
  const text = (field: TextFieldName) => fieldOf(state, slug, field)
  return {
    type,
    // A format that belongs to another type was chosen for other files.
    format: format && formatsByType[type].includes(format) ? format : type,
    text: text('text'),
    title: text('title') || null,
    firstComment: text('firstComment') || null,
    thread: toThread(threadOf(state, slug)),
    linkUrl: text('linkUrl') || null,
    aiGenerated: state.aiGenerated ?? false,
    medias: filesOf(state, slug),
    settings: state.own[slug]?.settings ?? {},
  }
}

type Taggable = { slug: string; platform: PlatformInfo; linkRule: NonNullable<Workspace['utm']> | null }

/** What its links get when it is sent; null if the workspace has no rule. */
export function linkTagsFor(state: ComposeState, { slug, platform, linkRule }: Taggable): LinkTags | null {
  if (linkRule === null) return null
  const { isLater, wall, zone } = state.when
  const date = isLater && wall !== '' ? wall.slice(0, 10) : dayIn(zone, Date.now())
  const title = fieldOf(state, slug, 'title')
  return resolveLinkTags(linkRule, { platform: platform.platform, account: slug, date, title }, platform)
}

/** The post as one account would publish it, with what its links get. */
export function sentDraft(state: ComposeState, account: Taggable): Draft {
  return tagDraft(channelDraft(state, account.slug), linkTagsFor(state, account))
}

/** Null if nothing follows the first post. One that is still empty is none. */
export function toThread(texts: readonly string[]): { text: string }[] | null {
  const written = texts.filter((text) => text.trim() !== '')
  return written.length === 0 ? null : written.map((text) => ({ text }))
}

type Rules = Parameters<typeof measureText>[1]

export type TextCount = { max: number; left: number; level: 'fine' | 'near' | 'over' }

/** Counts the text as the platform does, with the link if that becomes a part of it. */
export function countFor(draft: Draft, platform: Rules): TextCount {
  const { actual, max } = measureText(draft, platform)
  return { max, left: max - actual, level: actual > max ? 'over' : actual >= max * 0.8 ? 'near' : 'fine' }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Where the part of the text begins that the platform does not take; null if it takes all of it. */
export function findExcess(draft: Draft, platform: Rules, tags: LinkTags | null = null): number | null {
  const { text } = draft
  const count = (part: string) => countText(tags === null ? part : tagLinks(part, tags), platform.text)
  const { actual, max } = measureText(tagDraft(draft, tags), platform)
  if (actual <= max) return null
  const room = max - (actual - count(text))
  const starts = Array.from(graphemes.segment(text), ({ index }) => index)
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (count(text.slice(0, starts[middle] ?? text.length)) <= room) low = middle
    else high = middle - 1
  }
  const at = starts[low] ?? text.length
  // Half of a link leads nowhere.
  return findLinks(text).find(({ start, end }) => start < at && at < end)?.start ?? at
}
