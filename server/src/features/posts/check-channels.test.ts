import { connectors } from '@carillon/connectors'
import type { Platform } from '@carillon/contract'
import { expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import type { MediaRow } from '../media/media.store.ts'
import { checkChannels } from './check-channels.ts'
import type { PostFile } from './files/post-files.ts'
import { fieldsFromBody } from './post-fields.ts'

const ctx = { connectors } as Context

const row = {
  type: 'image',
  mime_type: 'image/jpeg',
  size_bytes: '1000',
  width: 1000,
  height: 1000,
  duration_seconds: null,
  pages: null,
  traits: {},
  alt: '',
} as unknown as MediaRow
const clip = {
  ...row,
  type: 'video',
  mime_type: 'video/mp4',
  size_bytes: '1000000',
  width: 720,
  height: 1280,
  duration_seconds: 10,
  traits: { videoCodec: 'h264', pixelFormat: 'yuv420p', audioCodec: 'aac' },
} as unknown as MediaRow

type Body = Parameters<typeof fieldsFromBody>[1]

function check(type: 'photo' | 'video', body: Body, { on, files }: { on: Platform[]; files: [MediaRow, string?][] }) {
  const targets = on.map((platform) => ({
    id: platform,
    slug: `${platform}-tower`,
    platform,
    targetName: '',
    needsReconnect: false,
    statusReason: null,
    permissionEndsAt: null,
  }))
  const common = files.map(([each, alt]): PostFile => ({ entry: '', row: each, alt: alt ?? null }))
  const checked = checkChannels(ctx, fieldsFromBody(type, body), targets, { files: { common, own: new Map() } })
  return checked.map((channel) => ({ ...channel, warnings: channel.warnings.map(({ message }) => message) }))
}

/** Nobody chooses an audience in these tests, and a platform that asks for one says what follows. */
const audienceWarning = 'On TikTok only you will see this post, because nobody chose who can see it.'

/** Guarantee: a format that a platform does not have is replaced by its nearest one, with a warning. */
test('a short video is published as a video where there are no short videos', () => {
  const checked = check('video', { contentFormat: 'short_video' }, { on: ['instagram', 'tiktok', 'x'], files: [[clip]] })
  expect(checked.map(({ violations }) => violations)).toEqual([[], [], []])
  expect(checked.map(({ warnings }) => warnings)).toEqual([
    [],
    [audienceWarning],
    ['X has no short videos; this will be published as a video.'],
  ])
})

test('a story is published in the feed where there are no stories, by the rules of the feed', () => {
  const tall = { ...row, width: 1080, height: 1920 } as MediaRow
  const [inStory, inFeed] = check('photo', { contentFormat: 'story' }, { on: ['instagram', 'bluesky'], files: [[tall]] })
  expect([inStory?.violations, inStory?.warnings]).toEqual([[], []])
  expect([inFeed?.violations, inFeed?.warnings]).toEqual([[], ['Bluesky has no stories; this will be published as a photo.']])
})

test('content that no format of the platform shows is refused', () => {
  const [checked] = check('photo', { contentFormat: 'video' }, { on: ['x'], files: [[row]] })
  expect(checked?.violations).toMatchObject([{ path: 'connections[0].contentFormat' }])
})

/** Guarantee: `altText` of a manifest says whether a file can have alt text; no limit does not mean none. */
test('alt text is named in a warning only where the platform takes none', () => {
  const files: [MediaRow, string][] = [[row, 'A bronze bell']]
  const warnings = (on: Platform[]) => check('photo', {}, { on, files }).map((channel) => channel.warnings)
  expect(warnings(['bluesky', 'mastodon', 'threads', 'x', 'linkedin', 'instagram'])).toEqual([[], [], [], [], [], []])
  expect(warnings(['tiktok'])).toEqual([['TikTok takes no alt text; the alt text will be left out.', audienceWarning]])
})

/** Guarantee: a first comment is never tried where the platform has none. */
test('a story has no first comment, and the person is told', () => {
  const body: Body = { contentFormat: 'story', firstComment: 'First!' }
  const [story] = check('photo', body, { on: ['instagram'], files: [[row]] })
  expect(story).toMatchObject({
    hasComment: false,
    warnings: ['Instagram takes no first comment on a story; the first comment will be left out.'],
  })
  const [feed] = check('photo', { firstComment: 'First!' }, { on: ['instagram'], files: [[row]] })
  expect(feed).toMatchObject({ hasComment: true, warnings: [] })
})

test('a violation of two settings together names the setting', () => {
  const options = { brandedContent: true } as NonNullable<Body['platformOptions']>[string]
  const [checked] = check('video', { platformOptions: { 'tiktok-tower': options } }, { on: ['tiktok'], files: [[clip]] })
  expect(checked?.violations).toMatchObject([
    {
      path: 'platformOptions.tiktok-tower.brandedContent',
      message: 'TikTok: Branded content must be visible to others than you; choose who can see the post.',
    },
  ])
})

test('a GIF beside a photo is refused before anything is queued', () => {
  const gif = { ...row, mime_type: 'image/gif', traits: { frames: 9 } } as unknown as MediaRow
  const [checked] = check('photo', {}, { on: ['x'], files: [[gif], [row]] })
  expect(checked?.violations).toMatchObject([
    { path: 'connections[0].medias[0]', message: 'X takes a GIF only as the one file of a post; this post has 2.' },
  ])
  expect(check('photo', {}, { on: ['x'], files: [[gif]] })[0]?.violations).toEqual([])
})
