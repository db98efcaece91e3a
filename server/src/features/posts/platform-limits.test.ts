import { connectors } from '@carillon/connectors'
import type { Platform } from '@carillon/contract'
import { checkDraft, type Draft, type DraftMedia, type ViolationCode } from '@carillon/core'
import { expect, test } from 'vitest'

const file = { sizeBytes: 0, width: null, height: null, durationSeconds: null, pages: null, alt: '' }
const jpeg: DraftMedia = { ...file, kind: 'image', mimeType: 'image/jpeg' }
const gif: DraftMedia = { ...file, kind: 'image', mimeType: 'image/gif' }
const clip: DraftMedia = { ...file, kind: 'video', mimeType: 'video/mp4', durationSeconds: 10 }

const common = { title: null, firstComment: null, linkUrl: null }
const text = (words: string, more: Partial<Draft> = {}): Draft => ({
  ...common,
  type: 'text',
  format: 'text',
  text: words,
  medias: [],
  ...more,
})
const photo = (more: Partial<Draft> = {}): Draft => ({
  ...common,
  type: 'photo',
  format: 'photo',
  text: '',
  medias: [jpeg],
  ...more,
})
const video = (more: Partial<Draft> = {}): Draft => ({
  ...common,
  type: 'video',
  format: 'video',
  text: '',
  medias: [clip],
  ...more,
})
const copies = (count: number, media: DraftMedia) => Array.from({ length: count }, () => media)
const times = (count: number, make: (n: number) => string) => Array.from({ length: count }, (_, n) => make(n)).join(' ')

type Limit = { platform: Platform; what: string; at: Draft; over: Draft; code: ViolationCode }

/** One row for each limit that the platforms document: a draft at the limit, and one just beyond it. */
const limits: readonly Limit[] = [
  // X: 280 weighted characters, one cashtag, 4 photos or one GIF or one video, alt text of 1,000.
  { platform: 'x', what: 'text', at: text('a'.repeat(280)), over: text('a'.repeat(281)), code: 'text_too_long' },
  { platform: 'x', what: 'weighted text', at: text('鐘'.repeat(140)), over: text('鐘'.repeat(141)), code: 'text_too_long' },
  { platform: 'x', what: 'cashtags', at: text('$BELL rings'), over: text('$BELL and $RING'), code: 'text_too_many_cashtags' },
  {
    platform: 'x',
    what: 'cashtags in small letters',
    at: text('costs $5 or $bell'),
    over: text('$bell $ring'),
    code: 'text_too_many_cashtags',
  },
  {
    platform: 'x',
    what: 'cashtags of a comment',
    at: text('a', { firstComment: '$A' }),
    over: text('a', { firstComment: '$A $B' }),
    code: 'first_comment_too_many_cashtags',
  },
  {
    platform: 'x',
    what: 'a GIF beside a photo',
    at: photo({ medias: [gif] }),
    over: photo({ medias: [gif, jpeg] }),
    code: 'media_not_alone',
  },
  { platform: 'x', what: 'two GIFs', at: photo({ medias: [gif] }), over: photo({ medias: [gif, gif] }), code: 'media_not_alone' },
  {
    platform: 'x',
    what: 'photos',
    at: photo({ medias: copies(4, jpeg) }),
    over: photo({ medias: copies(5, jpeg) }),
    code: 'media_too_many',
  },
  {
    platform: 'x',
    what: 'alt text',
    at: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(1000) }] }),
    over: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(1001) }] }),
    code: 'alt_too_long',
  },
  // LinkedIn: 3,000 characters, 20 photos, one document, alt text of 4,086.
  { platform: 'linkedin', what: 'text', at: text('a'.repeat(3000)), over: text('a'.repeat(3001)), code: 'text_too_long' },
  {
    platform: 'linkedin',
    what: 'photos',
    at: photo({ medias: copies(20, jpeg) }),
    over: photo({ medias: copies(21, jpeg) }),
    code: 'media_too_many',
  },
  {
    platform: 'linkedin',
    what: 'alt text',
    at: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(4086) }] }),
    over: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(4087) }] }),
    code: 'alt_too_long',
  },
  // Instagram: 2,200 characters, 30 hashtags, 20 mentions, 10 photos, one file in a story, a cover within the video.
  {
    platform: 'instagram',
    what: 'text',
    at: photo({ text: 'a'.repeat(2200) }),
    over: photo({ text: 'a'.repeat(2201) }),
    code: 'text_too_long',
  },
  {
    platform: 'instagram',
    what: 'hashtags',
    at: photo({ text: times(30, (n) => `#bell${n}`) }),
    over: photo({ text: times(31, (n) => `#bell${n}`) }),
    code: 'text_too_many_hashtags',
  },
  {
    platform: 'instagram',
    what: 'hashtags in another script',
    at: photo({ text: times(30, (n) => `#鐘${n}`) }),
    over: photo({ text: times(31, (n) => `#鐘${n}`) }),
    code: 'text_too_many_hashtags',
  },
  {
    platform: 'instagram',
    what: 'mentions',
    at: photo({ text: times(20, (n) => `@ringer.${n}`) }),
    over: photo({ text: times(21, (n) => `@ringer.${n}`) }),
    code: 'text_too_many_mentions',
  },
  {
    platform: 'instagram',
    what: 'photos',
    at: photo({ medias: copies(10, jpeg) }),
    over: photo({ medias: copies(11, jpeg) }),
    code: 'media_too_many',
  },
  {
    platform: 'instagram',
    what: 'files of a story',
    at: photo({ format: 'story' }),
    over: photo({ format: 'story', medias: [jpeg, jpeg] }),
    code: 'media_too_many',
  },
  {
    platform: 'instagram',
    what: 'alt text',
    at: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(1000) }] }),
    over: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(1001) }] }),
    code: 'alt_too_long',
  },
  {
    platform: 'instagram',
    what: 'cover',
    at: video({ settings: { coverSeconds: 10 } }),
    over: video({ settings: { coverSeconds: 10.5 } }),
    code: 'cover_after_end',
  },
  { platform: 'instagram', what: 'text alone', at: photo(), over: text('a'), code: 'format_not_taken' },
  // Threads: 500 characters in which emoji count their bytes, 5 links, 20 photos.
  { platform: 'threads', what: 'text', at: text('a'.repeat(500)), over: text('a'.repeat(501)), code: 'text_too_long' },
  { platform: 'threads', what: 'umlauts', at: text('ä'.repeat(250)), over: text('ä'.repeat(250) + 'a'), code: 'text_too_long' },
  { platform: 'threads', what: 'emoji', at: text('👍'.repeat(125)), over: text('👍'.repeat(126)), code: 'text_too_long' },
  {
    platform: 'threads',
    what: 'links',
    at: text(times(5, (n) => `https://a.com/${n}`)),
    over: text(times(6, (n) => `https://a.com/${n}`)),
    code: 'text_too_many_links',
  },
  {
    platform: 'threads',
    what: 'photos',
    at: photo({ medias: copies(20, jpeg) }),
    over: photo({ medias: copies(21, jpeg) }),
    code: 'media_too_many',
  },
  {
    platform: 'threads',
    what: 'alt text of a video',
    at: video({ medias: [{ ...clip, alt: 'a'.repeat(1000) }] }),
    over: video({ medias: [{ ...clip, alt: 'a'.repeat(1001) }] }),
    code: 'alt_too_long',
  },
  // Bluesky: 300 characters as seen, 3,000 bytes, 10 photos, alt text without a limit.
  { platform: 'bluesky', what: 'text', at: text('👨‍👩‍👧‍👦'.repeat(100)), over: text('a'.repeat(301)), code: 'text_too_long' },
  { platform: 'bluesky', what: 'bytes', at: text('👨‍👩‍👧‍👦'.repeat(120)), over: text('👨‍👩‍👧‍👦'.repeat(121)), code: 'text_too_many_bytes' },
  {
    platform: 'bluesky',
    what: 'photos',
    at: photo({ medias: copies(10, { ...jpeg, alt: 'a'.repeat(5000) }) }),
    over: photo({ medias: copies(11, jpeg) }),
    code: 'media_too_many',
  },
  // Mastodon: 500 characters with the content warning, 4 photos, alt text of 1,500.
  { platform: 'mastodon', what: 'text', at: text('a'.repeat(500)), over: text('a'.repeat(501)), code: 'text_too_long' },
  {
    platform: 'mastodon',
    what: 'text with a content warning',
    at: text('a'.repeat(490), { settings: { spoiler: 'a'.repeat(10) } }),
    over: text('a'.repeat(490), { settings: { spoiler: 'a'.repeat(11) } }),
    code: 'text_too_long',
  },
  {
    platform: 'mastodon',
    what: 'photos',
    at: photo({ medias: copies(4, jpeg) }),
    over: photo({ medias: copies(5, jpeg) }),
    code: 'media_too_many',
  },
  {
    platform: 'mastodon',
    what: 'alt text',
    at: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(1500) }] }),
    over: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(1501) }] }),
    code: 'alt_too_long',
  },
  // TikTok: a text of 2,200 for a video and 4,000 for photos, a title of 90 for photos, 35 photos, no branded content for oneself.
  {
    platform: 'tiktok',
    what: 'text of a video',
    at: video({ text: 'a'.repeat(2200) }),
    over: video({ text: 'a'.repeat(2201) }),
    code: 'text_too_long',
  },
  {
    platform: 'tiktok',
    what: 'text of photos',
    at: photo({ text: 'a'.repeat(4000) }),
    over: photo({ text: 'a'.repeat(4001) }),
    code: 'text_too_long',
  },
  {
    platform: 'tiktok',
    what: 'title of photos',
    at: photo({ title: 'a'.repeat(90) }),
    over: photo({ title: 'a'.repeat(91) }),
    code: 'title_too_long',
  },
  {
    platform: 'tiktok',
    what: 'photos',
    at: photo({ medias: copies(35, jpeg) }),
    over: photo({ medias: copies(36, jpeg) }),
    code: 'media_too_many',
  },
  {
    platform: 'tiktok',
    what: 'cover',
    at: video({ settings: { coverSeconds: 10 } }),
    over: video({ settings: { coverSeconds: 11 } }),
    code: 'cover_after_end',
  },
  {
    platform: 'tiktok',
    what: 'branded content for oneself',
    at: video({ settings: { brandedContent: true, privacyLevel: 'PUBLIC_TO_EVERYONE' } }),
    over: video({ settings: { brandedContent: true, privacyLevel: 'SELF_ONLY' } }),
    code: 'setting_conflict',
  },
  {
    platform: 'tiktok',
    what: 'branded content without an audience',
    at: video({ settings: { brandedContent: false } }),
    over: video({ settings: { brandedContent: true } }),
    code: 'setting_conflict',
  },
  {
    platform: 'tiktok',
    what: 'advertising for nobody',
    at: video({ settings: { contentDisclosure: true, yourBrand: true } }),
    over: video({ settings: { contentDisclosure: true } }),
    code: 'disclosure_incomplete',
  },
  // Telegram: 4,096 characters, 1,024 beside any file, albums of ten, a GIF alone.
  { platform: 'telegram', what: 'text', at: text('a'.repeat(4096)), over: text('a'.repeat(4097)), code: 'text_too_long' },
  {
    platform: 'telegram',
    what: 'caption of a photo',
    at: photo({ text: 'a'.repeat(1024) }),
    over: photo({ text: 'a'.repeat(1025) }),
    code: 'text_too_long',
  },
  {
    platform: 'telegram',
    what: 'caption of a video',
    at: video({ text: 'a'.repeat(1024) }),
    over: video({ text: 'a'.repeat(1025) }),
    code: 'text_too_long',
  },
  {
    platform: 'telegram',
    what: 'photos',
    at: photo({ medias: copies(10, jpeg) }),
    over: photo({ medias: copies(11, jpeg) }),
    code: 'media_too_many',
  },
  {
    platform: 'telegram',
    what: 'a GIF beside a photo',
    at: photo({ medias: [gif] }),
    over: photo({ medias: [gif, jpeg] }),
    code: 'media_not_alone',
  },
  // Discord: 2,000 characters, ten files of 10 MiB, alt text of 1,024.
  { platform: 'discord', what: 'text', at: text('a'.repeat(2000)), over: text('a'.repeat(2001)), code: 'text_too_long' },
  {
    platform: 'discord',
    what: 'files',
    at: photo({ medias: [...copies(9, jpeg), gif] }),
    over: photo({ medias: copies(11, jpeg) }),
    code: 'media_too_many',
  },
  {
    platform: 'discord',
    what: 'size of a file',
    at: photo({ medias: [{ ...jpeg, sizeBytes: 10_485_760 }] }),
    over: photo({ medias: [{ ...jpeg, sizeBytes: 10_485_761 }] }),
    code: 'media_too_large',
  },
  {
    platform: 'discord',
    what: 'size of all files',
    at: photo({ medias: copies(3, { ...jpeg, sizeBytes: 8_600_000 }) }),
    over: photo({ medias: copies(3, { ...jpeg, sizeBytes: 8_700_000 }) }),
    code: 'media_too_large_together',
  },
  // YouTube: 500 characters of tags, with commas between them and quotation marks around those with a space.
  {
    platform: 'youtube',
    what: 'tags',
    at: video({ title: 'Bells', settings: { tags: [...Array.from({ length: 38 }, () => 'ten letter'), 'bellow'] } }),
    over: video({ title: 'Bells', settings: { tags: [...Array.from({ length: 38 }, () => 'ten letter'), 'bellows'] } }),
    code: 'setting_too_long',
  },
  // Slack: 4,000 characters and four files.
  { platform: 'slack', what: 'text', at: text('a'.repeat(4000)), over: text('a'.repeat(4001)), code: 'text_too_long' },
  {
    platform: 'slack',
    what: 'files',
    at: photo({ medias: copies(4, jpeg) }),
    over: photo({ medias: copies(5, jpeg) }),
    code: 'media_too_many',
  },
  // WordPress: the most that Carillon sends, 25,000 characters and twenty files.
  { platform: 'wordpress', what: 'text', at: text('🔔'.repeat(25_000)), over: text('🔔'.repeat(25_001)), code: 'text_too_long' },
  {
    platform: 'wordpress',
    what: 'files',
    at: photo({ medias: copies(20, jpeg) }),
    over: photo({ medias: copies(21, jpeg) }),
    code: 'media_too_many',
  },
  // Ghost: titles of 255 and alt texts of 191, and the most that Carillon sends.
  { platform: 'ghost', what: 'text', at: text('🔔'.repeat(25_000)), over: text('🔔'.repeat(25_001)), code: 'text_too_long' },
  {
    platform: 'ghost',
    what: 'title',
    at: { ...text('a'), title: 'a'.repeat(255) },
    over: { ...text('a'), title: 'a'.repeat(256) },
    code: 'title_too_long',
  },
  {
    platform: 'ghost',
    what: 'alt text',
    at: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(191) }] }),
    over: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(192) }] }),
    code: 'alt_too_long',
  },
  // Lemmy: 50,000 characters as a browser counts them, a title of 200, one image, alt text of 1,500.
  {
    platform: 'lemmy',
    what: 'text',
    at: text('🔔'.repeat(25_000)),
    over: text(`a${'🔔'.repeat(25_000)}`),
    code: 'text_too_long',
  },
  {
    platform: 'lemmy',
    what: 'title',
    at: text('a', { title: 'a'.repeat(200) }),
    over: text('a', { title: 'a'.repeat(201) }),
    code: 'title_too_long',
  },
  {
    platform: 'lemmy',
    what: 'images',
    at: photo(),
    over: photo({ medias: copies(2, jpeg) }),
    code: 'media_too_many',
  },
  {
    platform: 'lemmy',
    what: 'alt text',
    at: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(1500) }] }),
    over: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(1501) }] }),
    code: 'alt_too_long',
  },
  // Nostr: 30,000 bytes and ten images.
  { platform: 'nostr', what: 'text', at: text('🔔'.repeat(7500)), over: text(`a${'🔔'.repeat(7500)}`), code: 'text_too_long' },
  {
    platform: 'nostr',
    what: 'images',
    at: photo({ medias: copies(10, jpeg) }),
    over: photo({ medias: copies(11, jpeg) }),
    code: 'media_too_many',
  },
  // Tumblr: the most that Carillon sends, and 4,096 characters for a title and an alternative text.
  { platform: 'tumblr', what: 'text', at: text('🔔'.repeat(25_000)), over: text('🔔'.repeat(25_001)), code: 'text_too_long' },
  {
    platform: 'tumblr',
    what: 'title',
    at: text('a', { title: 'a'.repeat(4096) }),
    over: text('a', { title: 'a'.repeat(4097) }),
    code: 'title_too_long',
  },
  {
    platform: 'tumblr',
    what: 'alt text',
    at: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(4096) }] }),
    over: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(4097) }] }),
    code: 'alt_too_long',
  },
  // Reddit: a title of 300 characters. Its 40,000 characters of text are more than Carillon sends.
  {
    platform: 'reddit',
    what: 'title',
    at: text('a', { title: 'a'.repeat(300) }),
    over: text('a', { title: 'a'.repeat(301) }),
    code: 'title_too_long',
  },
  // Pixelfed, as it is installed: 500 characters, four files of 15,000 kilobytes, and 1,000 characters of an alternative text.
  {
    platform: 'pixelfed',
    what: 'text',
    at: photo({ text: '🔔'.repeat(500) }),
    over: photo({ text: '🔔'.repeat(501) }),
    code: 'text_too_long',
  },
  {
    platform: 'pixelfed',
    what: 'alt text',
    at: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(1000) }] }),
    over: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(1001) }] }),
    code: 'alt_too_long',
  },
  // Pinterest: a description of 800 characters, a title of 100, 5 images, an alt text of 500, videos of 4 s to 15 min.
  {
    platform: 'pinterest',
    what: 'text',
    at: photo({ text: '🔔'.repeat(800) }),
    over: photo({ text: '🔔'.repeat(801) }),
    code: 'text_too_long',
  },
  {
    platform: 'pinterest',
    what: 'title',
    at: photo({ title: 'a'.repeat(100) }),
    over: photo({ title: 'a'.repeat(101) }),
    code: 'title_too_long',
  },
  {
    platform: 'pinterest',
    what: 'images',
    at: photo({ format: 'photo_carousel', medias: copies(5, jpeg) }),
    over: photo({ format: 'photo_carousel', medias: copies(6, jpeg) }),
    code: 'media_too_many',
  },
  {
    platform: 'pinterest',
    what: 'alt text',
    at: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(500) }] }),
    over: photo({ medias: [{ ...jpeg, alt: 'a'.repeat(501) }] }),
    code: 'alt_too_long',
  },
  // Google Business Profile: a text of 1,500 UTF-16 units, one photo; an event has a title, a start and an end.
  {
    platform: 'googlebusiness',
    what: 'text',
    at: text('🔔'.repeat(750)),
    over: text('🔔'.repeat(751)),
    code: 'text_too_long',
  },
  {
    platform: 'googlebusiness',
    what: 'an event',
    at: text('a', { settings: { topic: 'event', title: 'Bells', start: '2026-12-24', end: '2026-12-24' } }),
    over: text('a', { settings: { topic: 'event', title: 'Bells', start: '2026-12-24' } }),
    code: 'setting_conflict',
  },
  // DEV: the most that Carillon sends, 25,000 characters, and a title of 128.
  { platform: 'devto', what: 'text', at: text('🔔'.repeat(25_000)), over: text('🔔'.repeat(25_001)), code: 'text_too_long' },
  {
    platform: 'devto',
    what: 'title',
    at: text('a', { title: 'a'.repeat(128) }),
    over: text('a', { title: 'a'.repeat(129) }),
    code: 'title_too_long',
  },
]

/** Guarantee: every limit that a platform documents is checked before anything is queued. */
test.for(limits)('$platform: $what', ({ platform, at, over, code }) => {
  const { manifest } = connectors[platform]
  expect(checkDraft(at, manifest)).toEqual([])
  const violations = checkDraft(over, manifest)
  expect(violations.map((violation) => violation.code)).toContain(code)
  for (const { message } of violations) expect(message).toMatch(/^[A-Z].*\.$/)
})
