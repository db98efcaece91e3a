import type { ContentFormat, Manifest } from '@carillon/contract'
import { checkMedia } from './check-media.ts'
import { checkText } from './check-text.ts'
import { textWithLink } from './draft.ts'
import type { Draft, DraftType, MediaKind } from './draft.ts'
import { count, formatNumber } from './format-number.ts'
import { mediaRules } from './media-rules.ts'
import type { Violation } from './violation.ts'

const formatsOf: Record<DraftType, readonly ContentFormat[]> = {
  text: ['text'],
  photo: ['photo', 'photo_carousel', 'story'],
  video: ['video', 'short_video', 'story'],
  document: ['document'],
}

const kindOf: Record<DraftType, MediaKind | null> = { text: null, photo: 'image', video: 'video', document: 'document' }

const formatNames: Record<ContentFormat, string> = {
  text: 'posts of text alone',
  photo: 'photos',
  photo_carousel: 'photo carousels',
  story: 'stories',
  video: 'videos',
  short_video: 'short videos',
  document: 'documents',
}

const nouns: Record<MediaKind, string> = { image: 'photo', video: 'video', document: 'document' }

/** Every rule of the platform that the draft breaks; empty when it may go out. */
export function checkDraft(draft: Draft, manifest: Manifest): Violation[] {
  return [
    ...checkFormat(draft, manifest),
    ...checkPresence(draft, manifest),
    ...checkTexts(draft, manifest),
    ...checkMedias(draft, manifest),
  ]
}

function checkFormat({ type, format }: Draft, manifest: Manifest): Violation[] {
  const path = 'contentFormat'
  if (!formatsOf[type].includes(format)) {
    return [{ code: 'format_mismatch', path, message: `The format ${format} does not go with a ${type} post.` }]
  }
  if (manifest.formats.includes(format)) return []
  return [{ code: 'format_not_taken', path, message: `${manifest.name} does not take ${formatNames[format]}.` }]
}

function checkPresence({ type, text, linkUrl, medias }: Draft, { name, text: rules, formats }: Manifest): Violation[] {
  if (medias.length > 0) return []
  const kind = kindOf[type]
  if (kind !== null) {
    return [{ code: 'media_missing', path: 'medias', message: `A ${type} post needs a ${nouns[kind]}; this one has none.` }]
  }
  // Where text posts are not a format at all, the format's own sentence says so already.
  if (!rules.alone && formats.includes('text')) {
    return [{ code: 'media_missing', path: 'medias', message: `${name} does not take text alone; add a photo or a video.` }]
  }
  if (text.trim() !== '' || linkUrl) return []
  return [{ code: 'text_missing', path: 'text', message: 'A text post needs a text; this one is empty.' }]
}

function checkTexts(draft: Draft, manifest: Manifest): Violation[] {
  const { can } = manifest
  // A link in its own field is still one of the links the platform counts.
  const extraLink = can.linkUrl ? draft.linkUrl : null
  const found = checkText({ field: 'text', text: textWithLink(draft, manifest), extraLink }, manifest)
  if (draft.firstComment && can.firstComment) {
    found.push(...checkText({ field: 'firstComment', text: draft.firstComment, extraLink: null }, manifest))
  }
  return found
}

function checkMedias({ type, format, medias }: Draft, manifest: Manifest): Violation[] {
  const kind = kindOf[type]
  if (medias.length > 0 && kind === null) {
    return [
      {
        code: 'media_kind',
        path: 'medias',
        message: `A text post takes no media; this one has ${count(medias.length, 'file')}.`,
      },
    ]
  }
  const found = medias.flatMap((media, index): Violation[] => {
    const path = `medias[${index}]`
    if (media.kind !== kind) {
      return [
        {
          code: 'media_kind',
          path,
          message: `A ${type} post takes only ${kind}s; this file is ${article(media.kind)} ${media.kind}.`,
        },
      ]
    }
    return checkMedia({ media, path, rules: mediaRules(kind, format, manifest) }, manifest)
  })
  if (kind !== null) found.unshift(...checkCount({ kind, format, actual: medias.length }, manifest))
  if (format === 'photo_carousel' && medias.length === 1) {
    found.unshift({ code: 'media_missing', path: 'medias', message: 'A photo carousel needs at least 2 photos; this one has 1.' })
  }
  return found
}

type Counted = { kind: MediaKind; format: ContentFormat; actual: number }

function checkCount({ kind, format, actual }: Counted, manifest: Manifest): Violation[] {
  const rules = mediaRules(kind, format, manifest)
  // Without rules the platform takes none of this kind, which the format's own sentence says.
  if (rules === null || actual <= rules.max) return []
  const where = format === 'story' ? ' in a story' : ''
  const message = `${manifest.name} takes at most ${count(rules.max, nouns[kind])}${where}; this post has ${formatNumber(actual)}.`
  return [{ code: 'media_too_many', path: 'medias', message }]
}

function article(word: string): string {
  return word.startsWith('i') ? 'an' : 'a'
}
