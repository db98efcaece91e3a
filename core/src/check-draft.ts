import { threadMax, type ContentFormat, type MediaKind, type PlatformRules } from '@carillon/contract'
import { checkMedia, checkTotalSize } from './check-media.ts'
import { checkSettings } from './check-settings.ts'
import { checkCharacters, checkText, measureField } from './check-text.ts'
import { canComment } from './draft-warnings.ts'
import { textWithLink } from './draft.ts'
import type { Draft, DraftType } from './draft.ts'
import { formatsByType } from './fit-format.ts'
import { formatCount, formatNumber } from './format-number.ts'
import { mediaRules, mustBeAlone } from './media-rules.ts'
import type { Violation } from './violation.ts'

const kindByType: Record<DraftType, MediaKind | null> = { text: null, photo: 'image', video: 'video', document: 'document' }

const formatNames: Record<ContentFormat, string> = {
  text: 'posts of text alone',
  photo: 'photos',
  photo_carousel: 'photo carousels',
  story: 'stories',
  video: 'videos',
  short_video: 'short videos',
  document: 'documents',
}

const nounByKind: Record<MediaKind, string> = { image: 'photo', video: 'video', document: 'document' }

/** Lists every rule of the platform that the draft breaks. The list is empty if the draft can be published. */
export function checkDraft(draft: Draft, manifest: PlatformRules): Violation[] {
  return [
    ...checkFormat(draft, manifest),
    ...checkPresence(draft, manifest),
    ...checkTexts(draft, manifest),
    ...checkThread(draft, manifest),
    ...checkTitle(draft, manifest),
    ...checkMedias(draft, manifest),
    ...checkTotalSize(draft.medias, manifest),
    ...checkSettings(draft, manifest),
  ]
}

function checkFormat({ type, format }: Draft, manifest: PlatformRules): Violation[] {
  const path = 'contentFormat'
  if (!formatsByType[type].includes(format)) {
    const message = `The format ${format} does not go with a ${type} post.`
    return [{ code: 'format_mismatch', path, message, params: { format, type } }]
  }
  if (manifest.formats.includes(format)) return []
  const message = `${manifest.name} does not take ${formatNames[format]}.`
  return [{ code: 'format_not_taken', path, message, params: { platform: manifest.name, format } }]
}

function checkPresence({ type, text, linkUrl, medias }: Draft, { name, text: rules, formats }: PlatformRules): Violation[] {
  if (medias.length > 0) return []
  const kind = kindByType[type]
  if (kind !== null) {
    const message = `A ${type} post needs a ${nounByKind[kind]}; this one has none.`
    return [{ code: 'media_missing', path: 'medias', message, params: { type, limit: 1, actual: 0, bound: 'least' } }]
  }
  // If the platform has no text format, checkFormat already reports it.
  if (!rules.alone && formats.includes('text')) {
    const message = `${name} does not take text alone; add a photo or a video.`
    return [{ code: 'media_missing', path: 'medias', message, params: { platform: name, type } }]
  }
  if (text.trim() !== '' || linkUrl) return []
  return [{ code: 'text_missing', path: 'text', message: 'A text post needs a text; this one is empty.', params: {} }]
}

/** How long the text of a draft is, with everything that the platform counts with it, and how long it may be there. */
export function measureText(draft: Draft, manifest: PlatformRules): { actual: number; max: number } {
  return measureField({ field: 'text', text: textWithLink(draft, manifest), ...countedWith(draft, manifest) }, manifest)
}

function countedWith(
  { type, settings }: Draft,
  { text: rules }: PlatformRules,
): { hasPhotos: boolean; hasFiles: boolean; counted: string[] } {
  const counted = rules.countedSettings.map((name) => settings?.[name]).filter((value) => typeof value === 'string')
  return { hasPhotos: type === 'photo', hasFiles: type !== 'text', counted }
}

function checkTexts(draft: Draft, manifest: PlatformRules): Violation[] {
  const { can } = manifest
  // The platform counts a link in its own field together with the links in the text.
  const extraLink = can.linkUrl ? draft.linkUrl : null
  const counted = countedWith(draft, manifest)
  const violations = checkText({ field: 'text', text: textWithLink(draft, manifest), extraLink, ...counted }, manifest)
  if (draft.firstComment && canComment(draft, manifest)) {
    const comment = { field: 'firstComment', text: draft.firstComment, extraLink: null, ...counted } as const
    violations.push(...checkText(comment, manifest))
  }
  return violations
}

function checkThread(draft: Draft, manifest: PlatformRules): Violation[] {
  const { thread } = draft
  if (!thread) return []
  const { name, can } = manifest
  if (!can.thread) {
    const message = `${name} has no threads: leave the further posts out for this account.`
    return [{ code: 'thread_not_taken', path: 'thread', message, params: { platform: name } }]
  }
  if (draft.format === 'story') {
    const message = 'A story cannot begin a thread.'
    return [{ code: 'thread_not_taken', path: 'thread', message, params: { platform: name, format: draft.format } }]
  }
  if (thread.length > threadMax) {
    const message = `A thread has at most ${threadMax + 1} posts; this one has ${formatNumber(thread.length + 1)}.`
    const params = { limit: threadMax + 1, actual: thread.length + 1, unit: 'post' }
    return [{ code: 'thread_too_many_posts', path: 'thread', message, params }]
  }
  const counted = countedWith(draft, manifest)
  return thread.flatMap(({ text }, index) =>
    checkText({ field: 'thread', path: `thread[${index}].text`, text, extraLink: null, ...counted }, manifest),
  )
}

function checkTitle({ title, format }: Draft, manifest: PlatformRules): Violation[] {
  const { name, title: rules } = manifest
  if (!title || !rules?.formats.includes(format)) return []
  return [...checkTitleLength(title, name, rules.max), ...checkCharacters('title', title, manifest)]
}

function checkTitleLength(title: string, name: string, max: number | null): Violation[] {
  if (max === null || title.length <= max) return []
  const message = `${name} takes a title of at most ${formatCount(max, 'character')}; this one has ${formatNumber(title.length)}.`
  const params = { platform: name, limit: max, actual: title.length, unit: 'character' }
  return [{ code: 'title_too_long', path: 'title', message, params }]
}

function checkMedias({ type, format, medias }: Draft, manifest: PlatformRules): Violation[] {
  const kind = kindByType[type]
  if (medias.length > 0 && kind === null) {
    return [
      {
        code: 'media_kind',
        path: 'medias',
        message: `A text post takes no media; this one has ${formatCount(medias.length, 'file')}.`,
        params: { type, limit: 0, actual: medias.length },
      },
    ]
  }
  const violations = medias.flatMap((media, index): Violation[] => {
    const path = `medias[${index}]`
    if (type === 'photo' && media.kind === 'video' && medias.length > 1) {
      if (manifest.mixedCarousel) return checkMedia({ media, path, rules: mediaRules(media, format, manifest) }, manifest)
      const message = `${manifest.name} takes no video among photos.`
      return [{ code: 'media_mixed', path, message, params: { platform: manifest.name } }]
    }
    if (media.kind !== kind) {
      return [
        {
          code: 'media_kind',
          path,
          message: `A ${type} post takes only ${kind}s; this file is ${article(media.kind)} ${media.kind}.`,
          params: { type, kind: media.kind },
        },
      ]
    }
    if (medias.length > 1 && mustBeAlone(media, format, manifest)) {
      const message = `${manifest.name} takes a GIF only as the one file of a post; this post has ${formatNumber(medias.length)}.`
      return [{ code: 'media_not_alone', path, message, params: { platform: manifest.name, limit: 1, actual: medias.length } }]
    }
    return checkMedia({ media, path, rules: mediaRules(media, format, manifest) }, manifest)
  })
  if (kind !== null) violations.unshift(...checkMediaCount({ kind, format, actual: medias.length }, manifest))
  if (format === 'photo_carousel' && medias.length === 1) {
    violations.unshift({
      code: 'media_missing',
      path: 'medias',
      message: 'A photo carousel needs at least 2 photos; this one has 1.',
      params: { format, limit: 2, actual: 1, bound: 'least', unit: 'photo' },
    })
  }
  return violations
}

type MediaCount = { kind: MediaKind; format: ContentFormat; actual: number }

function checkMediaCount({ kind, format, actual }: MediaCount, manifest: PlatformRules): Violation[] {
  const rules = mediaRules({ kind, mimeType: '' }, format, manifest)
  // Without rules the platform does not take this kind of media, and checkFormat already reports that.
  if (rules === null || actual <= rules.max) return []
  const where = format === 'story' ? ' in a story' : ''
  const limit = formatCount(rules.max, nounByKind[kind])
  const message = `${manifest.name} takes at most ${limit}${where}; this post has ${formatNumber(actual)}.`
  const params = { platform: manifest.name, limit: rules.max, actual, unit: nounByKind[kind] }
  return [{ code: 'media_too_many', path: 'medias', message, params }]
}

function article(word: string): string {
  return word.startsWith('i') ? 'an' : 'a'
}
