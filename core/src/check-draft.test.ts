import type { Manifest, MediaRules } from '@carillon/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDraft } from './check-draft.ts'
import { draftWarnings } from './draft-warnings.ts'
import type { Draft, DraftMedia } from './draft.ts'
import { fitFormat, formatWarnings } from './fit-format.ts'
import { testManifest } from './test-manifest.fixture.ts'

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

const manifestWith = (can: Partial<Manifest['can']>): Manifest => ({ ...testManifest, can: { ...testManifest.can, ...can } })

test('a draft within every limit has no violations', () => {
  for (const draft of [text, photo, video, document]) expect(checkDraft(draft, testManifest)).toEqual([])
})

describe('text', () => {
  test('a text beside files may have a limit of its own, which comments and further posts do not have', () => {
    const manifest: Manifest = { ...manifestWith({ thread: true }), text: { ...testManifest.text, maxWithFiles: 100 } }
    const long = 'a'.repeat(200)
    expect(checkDraft({ ...text, text: long }, manifest)).toEqual([])
    for (const draft of [photo, video, document]) {
      expect(checkDraft({ ...draft, text: long }, manifest)).toMatchObject([{ code: 'text_too_long', params: { limit: 100 } }])
      expect(checkDraft({ ...draft, firstComment: long, thread: [{ text: long }] }, manifest)).toEqual([])
    }
  })

  test('a text at the limit passes, a longer one is reported with both numbers', () => {
    expect(checkDraft({ ...text, text: 'a'.repeat(300) }, testManifest)).toEqual([])
    expect(checkDraft({ ...text, text: 'a'.repeat(312) }, testManifest)).toEqual([
      {
        code: 'text_too_long',
        path: 'text',
        message: 'Belfry takes at most 300 characters; this text has 312.',
        params: { platform: 'Belfry', limit: 300, actual: 312, unit: 'character' },
      },
    ])
  })

  test('a platform can also limit the size in bytes', () => {
    expect(checkDraft({ ...text, text: '👨‍👩‍👧‍👦'.repeat(121) }, testManifest)).toEqual([
      {
        code: 'text_too_many_bytes',
        path: 'text',
        message: 'Belfry takes at most 3,000 bytes; this text has 3,025.',
        params: { platform: 'Belfry', limit: 3000, actual: 3025, unit: 'byte' },
      },
    ])
  })

  test('the link limit counts distinct links, including the one in the link field', () => {
    const draft = { ...text, text: 'https://a.com https://a.com https://b.com' }
    expect(checkDraft(draft, testManifest)).toEqual([])
    expect(checkDraft({ ...draft, linkUrl: 'https://c.com' }, testManifest)).toMatchObject([
      { code: 'text_too_many_links', path: 'text' },
    ])
  })

  test('on a platform without a link field, the link counts as text', () => {
    const draft = { ...text, text: 'a'.repeat(290), linkUrl: 'https://a.com' }
    expect(checkDraft(draft, testManifest)).toEqual([])
    expect(checkDraft(draft, manifestWith({ linkUrl: false }))).toMatchObject([
      { code: 'text_too_long', message: 'Belfry takes at most 300 characters; this text has 305.' },
    ])
    const withLinkInText = { ...draft, text: `https://a.com ${'a'.repeat(280)}` }
    expect(checkDraft(withLinkInText, manifestWith({ linkUrl: false }))).toEqual([])
  })

  test('a first comment has the same limit, on platforms that support it', () => {
    const draft = { ...text, firstComment: 'a'.repeat(301) }
    expect(checkDraft(draft, testManifest)).toMatchObject([{ code: 'first_comment_too_long', path: 'firstComment' }])
    expect(checkDraft(draft, manifestWith({ firstComment: false }))).toEqual([])
  })

  test('an empty text post is refused', () => {
    expect(checkDraft({ ...text, text: ' \n' }, testManifest)).toMatchObject([{ code: 'text_missing', path: 'text' }])
    const needsMedia = { ...testManifest, text: { ...testManifest.text, alone: false } }
    expect(checkDraft(text, needsMedia)).toMatchObject([{ code: 'media_missing', path: 'medias' }])
  })
})

describe('format', () => {
  test('a format that the platform does not support is refused', () => {
    expect(checkDraft({ ...photo, format: 'story' }, testManifest)).toEqual([
      {
        code: 'format_not_taken',
        path: 'contentFormat',
        message: 'Belfry does not take stories.',
        params: { platform: 'Belfry', format: 'story' },
      },
    ])
    expect(checkDraft(document, { ...testManifest, formats: ['text'], document: null })).toMatchObject([
      { code: 'format_not_taken' },
    ])
  })

  /** Guarantee: a format that a platform does not know is replaced by its nearest one; only what would lose the content is refused. */
  test.for([
    ['video', 'short_video', 'video'],
    ['video', 'story', 'video'],
    ['photo', 'story', 'photo'],
    ['photo', 'photo_carousel', 'photo_carousel'],
    ['document', 'document', 'document'],
    ['photo', 'video', 'video'],
  ] as const)('a %s post as %s is published as %s', ([type, format, used]) => {
    expect(fitFormat({ type, format }, testManifest)).toBe(used)
  })

  test('a platform without the content keeps the format, and the check refuses it', () => {
    const textOnly: Manifest = { ...testManifest, formats: ['text'], video: null }
    const format = fitFormat({ type: 'video', format: 'short_video' }, textOnly)
    expect(checkDraft({ ...video, format }, textOnly)).toMatchObject([{ message: 'Belfry does not take short videos.' }])
  })

  test('another format gives a warning', () => {
    expect(formatWarnings('short_video', 'video', testManifest)).toMatchObject([
      { code: 'format_changed', message: 'Belfry has no short videos; this will be published as a video.' },
    ])
    expect(formatWarnings('video', 'video', testManifest)).toEqual([])
  })

  test('a format that does not match the post type is refused', () => {
    expect(checkDraft({ ...photo, format: 'video' }, testManifest)).toMatchObject([
      { code: 'format_mismatch', path: 'contentFormat' },
    ])
  })
})

test('a story is checked against the rules for stories, not against those for feed posts', () => {
  const photos = { ...testManifest.photos, max: 1, ratioMin: null, ratioMax: null, bytesMax: 1_000_000 } as MediaRules
  const stories: Manifest = {
    ...testManifest,
    formats: [...testManifest.formats, 'story'],
    story: { photos, video: null, can: { firstComment: false, altText: false } },
  }
  const codes = (draft: Draft) => checkDraft(draft, stories).map(({ code }) => code)
  const portrait = { ...photo, medias: [{ ...jpeg, width: 1080, height: 1920 }] }
  expect([codes(portrait), codes({ ...portrait, format: 'story' })]).toEqual([['media_ratio'], []])
  const tooLarge = { ...photo, format: 'story' as const, medias: [{ ...jpeg, sizeBytes: 1_000_001 }] }
  expect([codes(tooLarge), codes({ ...tooLarge, format: 'photo' })]).toEqual([['media_too_large'], []])
  expect(codes({ ...photo, format: 'story', medias: [jpeg, jpeg] })).toEqual(['media_too_many'])
})

test('a short video is checked against rules of its own where the platform has them', () => {
  const { video: rules } = testManifest
  const reels = { ...testManifest, formats: [...testManifest.formats, 'short_video' as const] }
  const medias = video.medias.map((file) => ({ ...file, durationSeconds: 50 }))
  const codes = (format: 'video' | 'short_video', manifest: Manifest) =>
    checkDraft({ ...video, format, medias }, manifest).map(({ code }) => code)
  const own: Manifest = { ...reels, shortVideo: { ...rules, secondsMax: 40 } as MediaRules }
  expect([codes('video', own), codes('short_video', own), codes('short_video', reels)]).toEqual([[], ['media_duration'], []])
})

describe('media', () => {
  const violationsOf = (media: Partial<DraftMedia>, draft = photo) => {
    const medias = draft.medias.map((file) => ({ ...file, ...media }))
    return checkDraft({ ...draft, medias }, testManifest).map(({ code, path, message }) => `${path} ${code}: ${message}`)
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
    expect(violationsOf(media)).toEqual([sentence])
  })

  test('a value at the limit and an unknown value are not violations', () => {
    expect(violationsOf({ sizeBytes: 5_000_000, width: 1200, height: 628, alt: 'ten chars.' })).toEqual([])
    expect(violationsOf({ width: null, height: null })).toEqual([])
    expect(violationsOf({ durationSeconds: 60 }, video)).toEqual([])
    expect(violationsOf({ pages: 10 }, document)).toEqual([])
  })

  test('videos and documents have limits of their own', () => {
    expect(violationsOf({ durationSeconds: 60.5 }, video)).toEqual([
      'medias[0] media_duration: Belfry takes at most 60 seconds; this file lasts 60.5.',
    ])
    expect(violationsOf({ durationSeconds: 2 }, video)).toHaveLength(1)
    expect(violationsOf({ pages: 11 }, document)).toEqual([
      'medias[0] media_pages: Belfry takes at most 10 pages; this file has 11.',
    ])
  })

  test('too many files, missing files and files of the wrong kind are refused', () => {
    expect(checkDraft({ ...photo, medias: [jpeg, jpeg, jpeg, jpeg, jpeg] }, testManifest)).toEqual([
      {
        code: 'media_too_many',
        path: 'medias',
        message: 'Belfry takes at most 4 photos; this post has 5.',
        params: { platform: 'Belfry', limit: 4, actual: 5, unit: 'photo' },
      },
    ])
    expect(checkDraft({ ...photo, medias: [] }, testManifest)).toMatchObject([{ code: 'media_missing' }])
    expect(checkDraft({ ...photo, format: 'photo_carousel' }, testManifest)).toMatchObject([{ code: 'media_missing' }])
    expect(checkDraft({ ...photo, medias: [clip] }, testManifest)).toMatchObject([{ code: 'media_kind', path: 'medias[0]' }])
    const mixed = { ...photo, medias: [jpeg, clip] }
    expect(checkDraft(mixed, testManifest)).toMatchObject([{ code: 'media_mixed', path: 'medias[1]' }])
    expect(checkDraft(mixed, { ...testManifest, mixedCarousel: true })).toEqual([])
    expect(checkDraft({ ...text, medias: [jpeg] }, testManifest)).toMatchObject([{ code: 'media_kind', path: 'medias' }])
  })
})

test('each unsupported field gives exactly one warning', () => {
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
  const limited = {
    ...manifestWith({ title: false, firstComment: false, linkUrl: false }),
    title: null,
    altText: { kinds: [], max: null },
  }
  expect(draftWarnings(draft, testManifest)).toEqual([])
  expect(draftWarnings(photo, limited)).toEqual([])
  expect(draftWarnings(draft, limited).map(({ path, code, params }) => [path, code, params])).toEqual([
    ['title', 'title_left_out', { platform: 'Belfry' }],
    ['firstComment', 'first_comment_left_out', { platform: 'Belfry' }],
    ['medias', 'alt_text_left_out', { platform: 'Belfry' }],
    ['linkUrl', 'link_in_text', { platform: 'Belfry' }],
  ])
  expect(draftWarnings(draft, limited).map(({ message }) => message)).toEqual([
    'Belfry has no title; the title will be left out.',
    'Belfry takes no first comment; the first comment will be left out.',
    'Belfry takes no alt text; the alt text will be left out.',
    'Belfry has no field for a link; the link will follow the text.',
  ])
})

test('a link that the text has already is not said to follow it', () => {
  const linkless = manifestWith({ linkUrl: false })
  const codes = (written: string) =>
    draftWarnings({ ...photo, text: written, linkUrl: 'https://a.com/b' }, linkless).map(({ code }) => code)
  expect(codes('See https://a.com/b for more')).toEqual([])
  expect(codes('See https://a.com/bc for more')).toEqual(['link_in_text'])
})

test('guarantee: a post that nobody but its author will see is named, unless the audience was chosen', () => {
  const asking: Manifest = { ...testManifest, audienceSetting: 'privacy' }
  const codes = (settings?: Record<string, unknown>) =>
    draftWarnings({ ...photo, ...(settings && { settings }) }, asking).map(({ path, code }) => [path, code])
  for (const unchosen of [undefined, {}, { other: 1 }])
    expect(codes(unchosen)).toEqual([['settings.privacy', 'audience_unchosen']])
  expect(codes({ privacy: 'SELF_ONLY' })).toEqual([])
})

/** Guarantee: what a person chooses in the app of the platform is neither asked for nor refused here, and its author is told. */
test('a post that a person finishes in the app', () => {
  const handing: Manifest = {
    ...testManifest,
    audienceSetting: 'privacy',
    handover: { setting: 'delivery', value: 'inbox', hours: 24, waitingMax: 5 },
    settingConflicts: [{ setting: 'paid', value: true, other: 'privacy', others: [null], message: 'Choose who can see it.' }],
    disclosure: { setting: 'isPaid', kinds: ['own'] },
  }
  const settings = { paid: true, isPaid: true }
  const codes = (delivery?: string) => {
    const draft = { ...photo, settings: { ...settings, ...(delivery !== undefined && { delivery }) } }
    return [...checkDraft(draft, handing), ...draftWarnings(draft, handing)].map(({ code }) => code)
  }
  for (const direct of [undefined, 'publish'])
    expect(codes(direct)).toEqual(['setting_conflict', 'disclosure_incomplete', 'audience_unchosen'])
  expect(codes('inbox')).toEqual(['handed_over'])
  const refused = checkDraft({ ...photo, settings: { delivery: 'inbox' } }, { ...handing, choices: { delivery: ['publish'] } })
  expect(refused).toMatchObject([{ code: 'setting_not_offered', path: 'settings.delivery' }])
})

test('a story leaves out what only feed posts can have, with a warning for each', () => {
  const story: Manifest = {
    ...testManifest,
    formats: [...testManifest.formats, 'story'],
    story: { photos: testManifest.photos, video: null, can: { firstComment: false, altText: false } },
  }
  const draft: Draft = { ...photo, format: 'story', firstComment: 'a'.repeat(301), medias: [{ ...jpeg, alt: 'a' }] }
  expect(draftWarnings(draft, story)).toMatchObject([
    { message: 'Belfry takes no first comment on a story; the first comment will be left out.' },
    { message: 'Belfry takes no alt text on a story; the alt text will be left out.' },
  ])
  expect(checkDraft(draft, story)).toEqual([])
})

test('alt text without a limit is kept, and alt text of another kind of file is named in a warning', () => {
  const images: Manifest = { ...testManifest, altText: { kinds: ['image'], max: null } }
  const long = { ...photo, medias: [{ ...jpeg, alt: 'a'.repeat(5000) }] }
  expect([draftWarnings(long, images), checkDraft(long, images)]).toEqual([[], []])
  expect(draftWarnings({ ...video, medias: [{ ...clip, alt: 'a' }] }, images)).toMatchObject([
    { message: 'Belfry takes no alt text on a video; the alt text will be left out.' },
  ])
})

test('a title is left out with a warning where the platform shows none', () => {
  const titles: Manifest = { ...testManifest, title: { formats: ['text', 'video'], max: 5, ofLink: true } }
  expect(draftWarnings({ ...photo, title: 'a' }, titles)).toMatchObject([
    { message: 'Belfry shows no title here; the title will be left out.' },
  ])
  expect(draftWarnings({ ...text, title: 'a' }, titles)).toHaveLength(1)
  expect(draftWarnings({ ...text, title: 'a', linkUrl: 'https://a.com' }, titles)).toEqual([])
  // An article has its title also without a link.
  const articles: Manifest = { ...testManifest, title: { formats: ['text'], max: 5 } }
  expect(draftWarnings({ ...text, title: 'a' }, articles)).toEqual([])
  expect(checkDraft({ ...video, title: 'sixsix' }, titles)).toMatchObject([
    { code: 'title_too_long', path: 'title', message: 'Belfry takes a title of at most 5 characters; this one has 6.' },
  ])
})

test('guarantee: characters that the platform refuses are told before a post is scheduled, and a comment may have them', () => {
  const strict: Manifest = {
    ...testManifest,
    text: { ...testManifest.text, refused: ['<', '>'] },
    title: { formats: ['video'], max: 50 },
  }
  expect(checkDraft({ ...video, text: 'I <3 bells', title: '1 > 0' }, strict)).toMatchObject([
    { code: 'text_characters', path: 'text', message: 'Belfry refuses a text with these characters: <' },
    { code: 'title_characters', path: 'title', message: 'Belfry refuses a title with these characters: >' },
  ])
  expect(checkDraft({ ...video, text: 'Bells', title: 'Bells', firstComment: 'I <3 bells' }, strict)).toEqual([])
  expect(checkDraft({ ...video, text: 'I <3 bells' }, { ...strict, text: testManifest.text })).toEqual([])
})

test('a longer text never has fewer violations', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), (words) => {
      const shorter = checkDraft({ ...text, text: `a${words}` }, testManifest).length
      expect(checkDraft({ ...text, text: `a${words} ${words}` }, testManifest).length).toBeGreaterThanOrEqual(shorter)
    }),
  )
})

describe('a thread', () => {
  const thread = [{ text: 'two' }, { text: 'a'.repeat(301) }]

  test('is refused by name where the platform has none', () => {
    const found = checkDraft({ ...text, thread }, manifestWith({ thread: false }))
    expect(found).toMatchObject([{ code: 'thread_not_taken', path: 'thread', params: { platform: 'Belfry' } }])
  })

  test('each of its posts has the limits of a post', () => {
    const found = checkDraft({ ...text, thread }, testManifest)
    expect(found).toMatchObject([{ code: 'thread_too_long', path: 'thread[1].text', params: { limit: 300, actual: 301 } }])
  })
})

test('guarantee: the limit of all files together is for several files; one alone has the limit of its kind', () => {
  const manifest: Manifest = { ...testManifest, filesBytesMax: 3000 }
  const sized = (...sizes: number[]): Draft => ({
    ...photo,
    format: sizes.length > 1 ? 'photo_carousel' : 'photo',
    medias: sizes.map((sizeBytes) => ({ ...jpeg, sizeBytes })),
  })
  expect(checkDraft(sized(4000), manifest)).toEqual([])
  expect(checkDraft(sized(1000, 2000), manifest)).toEqual([])
  expect(checkDraft(sized(1000, 2001), manifest)).toMatchObject([{ code: 'media_too_large_together', path: 'medias' }])
})
