import type { Manifest, MediaRules } from '@carillon/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDraft } from './check-draft.ts'
import { draftWarnings } from './draft-warnings.ts'
import type { Draft, DraftMedia } from './draft.ts'
import { belfry } from './manifest.fixture.ts'

const text: Draft = { type: 'text', format: 'text', text: 'hello', title: null, firstComment: null, linkUrl: null, medias: [] }
const jpeg: DraftMedia = {
  kind: 'image',
  mimeType: 'image/jpeg',
  sizeBytes: 1000,
  width: 1000,
  height: 1000,
  durationSeconds: null,
  pages: null,
  alt: '',
}
const clip: DraftMedia = { ...jpeg, kind: 'video', mimeType: 'video/mp4', durationSeconds: 10 }
const pdf: DraftMedia = { ...jpeg, kind: 'document', mimeType: 'application/pdf', width: null, height: null, pages: 3 }
const photo: Draft = { ...text, type: 'photo', format: 'photo', medias: [jpeg] }
const video: Draft = { ...text, type: 'video', format: 'video', medias: [clip] }
const document: Draft = { ...text, type: 'document', format: 'document', medias: [pdf] }

const without = (can: Partial<Manifest['can']>): Manifest => ({ ...belfry, can: { ...belfry.can, ...can } })

test('a draft within every limit breaks nothing', () => {
  for (const draft of [text, photo, video, document]) expect(checkDraft(draft, belfry)).toEqual([])
})

describe('text', () => {
  test('the limit itself passes and one more is named', () => {
    expect(checkDraft({ ...text, text: 'a'.repeat(300) }, belfry)).toEqual([])
    expect(checkDraft({ ...text, text: 'a'.repeat(312) }, belfry)).toEqual([
      { code: 'text_too_long', path: 'text', message: 'Belfry takes at most 300 characters; this text has 312.' },
    ])
  })

  test('a second limit in bytes', () => {
    expect(checkDraft({ ...text, text: '👨‍👩‍👧‍👦'.repeat(121) }, belfry)).toEqual([
      { code: 'text_too_many_bytes', path: 'text', message: 'Belfry takes at most 3,000 bytes; this text has 3,025.' },
    ])
  })

  test('different links are counted, the one in its own field too', () => {
    const draft = { ...text, text: 'https://a.com https://a.com https://b.com' }
    expect(checkDraft(draft, belfry)).toEqual([])
    expect(checkDraft({ ...draft, linkUrl: 'https://c.com' }, belfry)).toMatchObject([
      { code: 'text_too_many_links', path: 'text' },
    ])
  })

  test('a link without a field of its own counts as text', () => {
    const draft = { ...text, text: 'a'.repeat(290), linkUrl: 'https://a.com' }
    expect(checkDraft(draft, belfry)).toEqual([])
    expect(checkDraft(draft, without({ linkUrl: false }))).toMatchObject([
      { code: 'text_too_long', message: 'Belfry takes at most 300 characters; this text has 305.' },
    ])
    const said = { ...draft, text: `https://a.com ${'a'.repeat(280)}` }
    expect(checkDraft(said, without({ linkUrl: false }))).toEqual([])
  })

  test('a first comment is held to the same limit where it is taken', () => {
    const draft = { ...text, firstComment: 'a'.repeat(301) }
    expect(checkDraft(draft, belfry)).toMatchObject([{ code: 'first_comment_too_long', path: 'firstComment' }])
    expect(checkDraft(draft, without({ firstComment: false }))).toEqual([])
  })

  test('nothing to say is refused', () => {
    expect(checkDraft({ ...text, text: ' \n' }, belfry)).toMatchObject([{ code: 'text_missing', path: 'text' }])
    const needsMedia = { ...belfry, text: { ...belfry.text, alone: false } }
    expect(checkDraft(text, needsMedia)).toMatchObject([{ code: 'media_missing', path: 'medias' }])
  })
})

describe('format', () => {
  test('one the platform does not take', () => {
    expect(checkDraft({ ...photo, format: 'story' }, belfry)).toEqual([
      { code: 'format_not_taken', path: 'contentFormat', message: 'Belfry does not take stories.' },
    ])
    expect(checkDraft(document, { ...belfry, formats: ['text'], document: null })).toMatchObject([{ code: 'format_not_taken' }])
  })

  test('one that does not go with the type', () => {
    expect(checkDraft({ ...photo, format: 'video' }, belfry)).toMatchObject([{ code: 'format_mismatch', path: 'contentFormat' }])
  })
})

test('a story is held to a story’s facts, not to those of the feed', () => {
  const photos = { ...belfry.photos, max: 1, ratioMin: null, ratioMax: null, bytesMax: 1_000_000 } as MediaRules
  const stories: Manifest = { ...belfry, formats: [...belfry.formats, 'story'], story: { photos, video: null } }
  const codes = (draft: Draft) => checkDraft(draft, stories).map(({ code }) => code)
  const tall = { ...photo, medias: [{ ...jpeg, width: 1080, height: 1920 }] }
  expect([codes(tall), codes({ ...tall, format: 'story' })]).toEqual([['media_ratio'], []])
  const heavy = { ...photo, format: 'story' as const, medias: [{ ...jpeg, sizeBytes: 1_000_001 }] }
  expect([codes(heavy), codes({ ...heavy, format: 'photo' })]).toEqual([['media_too_large'], []])
  expect(codes({ ...photo, format: 'story', medias: [jpeg, jpeg] })).toEqual(['media_too_many'])
})

describe('media', () => {
  const broken = (media: Partial<DraftMedia>, draft = photo) => {
    const medias = draft.medias.map((one) => ({ ...one, ...media }))
    return checkDraft({ ...draft, medias }, belfry).map(({ code, path, message }) => `${path} ${code}: ${message}`)
  }

  test.each([
    [{ mimeType: 'image/gif' }, 'medias[0] media_type: Belfry takes image/jpeg, image/png; this file is image/gif.'],
    [{ sizeBytes: 5_300_000 }, 'medias[0] media_too_large: Belfry takes files of at most 5 MB; this one has 5.3 MB.'],
    [
      { sizeBytes: 5_000_001 },
      'medias[0] media_too_large: Belfry takes files of at most 5,000,000 bytes; this one has 5,000,001 bytes.',
    ],
    [{ width: 2001, height: 2000 }, 'medias[0] media_pixels: Belfry takes at most 4,000,000 pixels; this file has 4,002,000.'],
    [{ width: 319, height: 319 }, 'medias[0] media_width: Belfry takes a width of at least 320 pixels; this file has 319.'],
    [
      { width: 500, height: 1000 },
      'medias[0] media_ratio: Belfry takes a width of at least 0.8 times the height; this file is 500 × 1000.',
    ],
    [
      { width: 1000, height: 400 },
      'medias[0] media_ratio: Belfry takes a width of at most 1.91 times the height; this file is 1000 × 400.',
    ],
    [{ alt: 'eleven char' }, 'medias[0].alt alt_too_long: Belfry takes alt text of at most 10 characters; this one has 11.'],
  ])('a photo with %j', (media, sentence) => {
    expect(broken(media)).toEqual([sentence])
  })

  test('at the edge, and where a measure is unknown, nothing is broken', () => {
    expect(broken({ sizeBytes: 5_000_000, width: 1200, height: 628, alt: 'ten chars.' })).toEqual([])
    expect(broken({ width: null, height: null })).toEqual([])
    expect(broken({ durationSeconds: 60 }, video)).toEqual([])
    expect(broken({ pages: 10 }, document)).toEqual([])
  })

  test('a video and a document have their own limits', () => {
    expect(broken({ durationSeconds: 60.5 }, video)).toEqual([
      'medias[0] media_duration: Belfry takes at most 60 seconds; this file lasts 60.5.',
    ])
    expect(broken({ durationSeconds: 2 }, video)).toHaveLength(1)
    expect(broken({ pages: 11 }, document)).toEqual(['medias[0] media_pages: Belfry takes at most 10 pages; this file has 11.'])
  })

  test('too many, too few and of the wrong kind', () => {
    expect(checkDraft({ ...photo, medias: [jpeg, jpeg, jpeg, jpeg, jpeg] }, belfry)).toEqual([
      { code: 'media_too_many', path: 'medias', message: 'Belfry takes at most 4 photos; this post has 5.' },
    ])
    expect(checkDraft({ ...photo, medias: [] }, belfry)).toMatchObject([{ code: 'media_missing' }])
    expect(checkDraft({ ...photo, format: 'photo_carousel' }, belfry)).toMatchObject([{ code: 'media_missing' }])
    expect(checkDraft({ ...photo, medias: [jpeg, clip] }, belfry)).toMatchObject([{ code: 'media_kind', path: 'medias[1]' }])
    expect(checkDraft({ ...text, medias: [jpeg] }, belfry)).toMatchObject([{ code: 'media_kind', path: 'medias' }])
  })
})

test('each field the platform cannot take is named once', () => {
  const draft = {
    ...photo,
    title: 't',
    firstComment: 'c',
    linkUrl: 'https://a.com',
    medias: [
      { ...jpeg, alt: 'a' },
      { ...jpeg, alt: 'b' },
    ],
  }
  const poor = { ...without({ title: false, firstComment: false, linkUrl: false }), altTextMax: null }
  expect(draftWarnings(draft, belfry)).toEqual([])
  expect(draftWarnings(photo, poor)).toEqual([])
  expect(draftWarnings(draft, poor)).toEqual([
    'Belfry has no title; the title will be left out.',
    'Belfry takes no first comment; the first comment will be left out.',
    'Belfry takes no alt text; the alt text will be left out.',
    'Belfry has no field for a link; the link will follow the text.',
  ])
})

test('a longer text never breaks fewer rules', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), (words) => {
      const shorter = checkDraft({ ...text, text: `a${words}` }, belfry).length
      expect(checkDraft({ ...text, text: `a${words} ${words}` }, belfry).length).toBeGreaterThanOrEqual(shorter)
    }),
  )
})
