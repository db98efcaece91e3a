import { connectors } from '@carillon/connectors'
import { platforms, type Platform } from '@carillon/contract'
import { expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import type { MediaRow } from '../media/media.store.ts'
import { checkChannels } from './check-channels.ts'
import { settingsOf } from './complete-settings.ts'
import type { PostFile } from './files/post-files.ts'
import { fieldsForChannel, fieldsFromBody, type PostFields } from './post-fields.ts'

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
    rules: connectors[platform].manifest,
    accountId: '1',
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
  const takers = platforms.filter((platform) => connectors[platform].manifest.altText.kinds.includes('image'))
  expect(warnings(takers)).toEqual(takers.map(() => []))
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
      message: 'TikTok: Branded content visibility cannot be set to private; choose who can see the post.',
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

/** Guarantee: nobody believes that people are told of AI where the platform tells them nothing. */
test('a post made with AI has a warning by name for each platform that has no label for it', () => {
  const on = ['bluesky', 'instagram', 'linkedin', 'mastodon', 'threads', 'tiktok', 'x'] as const
  const warned = (type: 'photo' | 'video', files: [MediaRow, string?][]) =>
    check(type, { aiGenerated: true }, { on: [...on], files }).flatMap(({ warnings }, at) =>
      warnings.flatMap((warning) => (warning.includes('made with AI') ? [[on[at], warning.includes('in this format')]] : [])),
    )
  const unlabelled = ['bluesky', 'linkedin', 'mastodon', 'threads'].map((platform) => [platform, false])
  expect(warned('video', [[clip]])).toEqual(unlabelled)
  expect(warned('photo', [[row]])).toEqual([...unlabelled, ['tiktok', true]])
})

test('a post made with AI sets the label of each platform, and an account that says otherwise keeps its own choice', () => {
  // The settings of platforms are not in the type of the options.
  const options = {
    'tiktok-tower': { aiGenerated: false },
    'x-tower': { replySettings: 'following' },
  } as PostFields['platformOptions']
  const post = fieldsFromBody('video', { aiGenerated: true, platformOptions: options })
  const labelOn = (platform: Platform, fields = post) =>
    settingsOf(connectors[platform], fieldsForChannel(fields, `${platform}-tower`))
  expect(labelOn('instagram')).toMatchObject({ aiGenerated: true })
  expect(labelOn('x')).toMatchObject({ aiGenerated: true, replySettings: 'following' })
  expect(labelOn('tiktok')).toMatchObject({ aiGenerated: false })
  expect(labelOn('bluesky')).not.toHaveProperty('aiGenerated')
  expect(labelOn('instagram', fieldsFromBody('video', {}))).toMatchObject({ aiGenerated: false })
})

/** Guarantee: a video among photos goes only to platforms that show such a post, and the others are named before anything is sent. */
test('a video among photos is taken by name', () => {
  const on = ['instagram', 'x', 'mastodon'] as const
  const codes = (files: [MediaRow, string?][]) =>
    check('photo', {}, { on: [...on], files }).map(({ violations }) => violations.map(({ code }) => code))
  expect(codes([[row], [clip], [row]])).toEqual([[], ['media_mixed'], ['media_mixed']])
  const tooMany = Array.from({ length: 11 }, (_, at): [MediaRow] => [at === 0 ? row : clip])
  expect(codes(tooMany)[0]).toEqual(['media_too_many'])
})

/** Guarantee: a post that is too large as a whole is refused before it is queued, and one that will be made smaller is not. */
test('the files of a post have a limit together, in which those count that are sent as they are', () => {
  const large = { ...row, size_bytes: '9000000' }
  const larger = { ...row, size_bytes: '12000000' }
  const check3 = (files: MediaRow[], on: Platform) => check('photo', {}, { on: [on], files: files.map((file) => [file]) })[0]
  expect(check3([large, large, large], 'discord')?.violations).toMatchObject([
    { path: 'connections[0].medias', code: 'media_too_large_together', params: { platform: 'Discord', actual: 27_000_000 } },
  ])
  expect(check3([large, large, larger], 'discord')?.violations).toEqual([])
  expect(check3([large, large, large], 'slack')?.violations).toEqual([])
})

test('tags are counted together, and the violation names the setting', () => {
  const options = { tags: Array.from({ length: 50 }, () => 'ten letters') } as NonNullable<Body['platformOptions']>[string]
  const [checked] = check(
    'video',
    { title: 'Bells', platformOptions: { 'youtube-tower': options } },
    { on: ['youtube'], files: [[clip]] },
  )
  expect(checked?.violations).toMatchObject([{ path: 'platformOptions.youtube-tower.tags', code: 'setting_too_long' }])
})
