import { readWarning, type MediaRules } from '@carillon/contract'
import { describe, expect, test } from 'vitest'
import { planRendition } from './plan-rendition.ts'
import type { RenditionSource } from './rendition-plan.ts'
import { anyMedia } from './test-manifest.fixture.ts'

const rules: MediaRules = { ...anyMedia, max: 1 }
const photo: RenditionSource = {
  type: 'image',
  mimeType: 'image/jpeg',
  sizeBytes: 1_000_000,
  width: 4000,
  height: 3000,
  durationSeconds: null,
  pages: null,
  traits: { frames: 1, hasAlpha: false, hasMetadata: false },
}
const video: RenditionSource = {
  ...photo,
  type: 'video',
  mimeType: 'video/mp4',
  sizeBytes: 50_000_000,
  width: 1920,
  height: 1080,
  durationSeconds: 60,
  traits: { videoCodec: 'h264', pixelFormat: 'yuv420p', audioCodec: 'aac', hasMetadata: false },
}

/** Guarantee: a file is changed only if a rule requires it, and every change is described in a sentence. */
describe('images', () => {
  test('are not changed if they fit the rules', () =>
    expect(planRendition(photo, { ...rules, mimeTypes: ['image/jpeg'] })).toEqual({ kind: 'as_is' }))

  test('shrink to the limits on width and pixels and never exceed them', () => {
    expect(planRendition(photo, { ...rules, widthMax: 1440 })).toMatchObject({ plan: { width: 1440, height: 1080 } })
    const made = planRendition({ ...photo, width: 4001, height: 2999 }, { ...rules, pixelsMax: 1_000_000 })
    if (made.kind !== 'image') throw new Error(made.kind)
    expect(made.plan.width * made.plan.height).toBeLessThanOrEqual(1_000_000)
  })

  test('grow to the minimum width', () =>
    expect(planRendition({ ...photo, width: 100, height: 80 }, { ...rules, widthMin: 320 })).toMatchObject({
      plan: { width: 320, height: 256 },
      changes: [
        { code: 'larger', message: 'The picture was made larger: 320 × 256 pixels.', params: { width: 320, height: 256 } },
      ],
    }))

  test('keep transparency if an accepted format supports it', () => {
    const transparent = { ...photo, mimeType: 'image/webp', traits: { hasAlpha: true } }
    expect(planRendition(transparent, { ...rules, mimeTypes: ['image/jpeg', 'image/png'] })).toMatchObject({
      mimeType: 'image/png',
    })
    expect(planRendition(transparent, { ...rules, mimeTypes: ['image/jpeg'] })).toMatchObject({ mimeType: 'image/jpeg' })
  })

  test('report it if an animation becomes a still image', () =>
    expect(
      planRendition({ ...photo, mimeType: 'image/gif', traits: { frames: 9 } }, { ...rules, mimeTypes: ['image/jpeg'] }),
    ).toMatchObject({
      plan: { isAnimated: false },
      changes: [{ message: 'The picture was made a JPEG.' }, { message: 'Only the first picture of the animation is shown.' }],
    }))

  test('are never cropped', () =>
    expect(planRendition(photo, { ...rules, ratioMax: 1 })).toEqual({
      kind: 'cannot',
      violations: ['The picture is too wide: it is 4000 × 3000, and the width may be at most 1 times the height.'],
    }))
})

describe('videos', () => {
  test('are not changed if they fit the rules', () =>
    expect(planRendition(video, { ...rules, mimeTypes: ['video/mp4'] })).toEqual({ kind: 'as_is' }))

  test('change only their container if the codecs are supported', () =>
    expect(planRendition({ ...video, mimeType: 'video/quicktime' }, { ...rules, mimeTypes: ['video/mp4'] })).toMatchObject({
      plan: { encode: null, mimeType: 'video/mp4' },
    }))

  test('are encoded again because of their codec or their size', () => {
    expect(planRendition({ ...video, traits: { ...video.traits, videoCodec: 'hevc' } }, rules)).toMatchObject({
      plan: { encode: { width: 1920, height: 1080, bitsPerSecond: null } },
    })
    const smaller = planRendition(video, { ...rules, bytesMax: 20_000_000 })
    if (smaller.kind !== 'video') throw new Error(smaller.kind)
    expect((((smaller.plan.encode?.bitsPerSecond ?? 0) + 128_000) * 60) / 8).toBeLessThan(20_000_000)
  })

  test('are never shortened or compressed below the minimum bitrate', () => {
    expect(planRendition(video, { ...rules, secondsMax: 30 })).toMatchObject({ kind: 'cannot' })
    expect(planRendition(video, { ...rules, bytesMax: 1_000_000 })).toMatchObject({ kind: 'cannot' })
  })

  /** Encoders refuse a bitrate above 2 Gbit/s, which a large limit on the size of a short video would allow. */
  test.for([0.5, 2, 5, 15, 54, 56, 600])('of %d s get a bitrate that encoders accept', (durationSeconds) => {
    const source = { ...video, durationSeconds, sizeBytes: 1_000_000, traits: { ...video.traits, videoCodec: 'hevc' } }
    for (const bytesMax of [1_000_000_000, 4_000_000_000, 8_000_000_000]) {
      const plan = planRendition(source, { ...rules, bytesMax })
      if (plan.kind !== 'video') throw new Error(plan.kind)
      expect(plan.plan.encode?.bitsPerSecond).toBeGreaterThan(300_000)
      expect(plan.plan.encode?.bitsPerSecond).toBeLessThanOrEqual(60_000_000)
    }
  })

  test('are given a frame rate and a bitrate that the rules allow', () => {
    const at = (framesPerSecond: number, more: Partial<MediaRules>) => {
      const plan = planRendition({ ...video, traits: { ...video.traits, framesPerSecond } }, { ...rules, ...more })
      return plan.kind === 'video' ? plan.plan.encode?.framesPerSecond : plan.kind
    }
    expect([at(60, { fpsMax: 60 }), at(120, { fpsMax: 60 }), at(15, { fpsMin: 23 }), at(30, { framesMax: 900 })]).toEqual([
      'as_is',
      60,
      30,
      15,
    ])
    expect(at(30, { framesMax: 900, fpsMin: 23 })).toBe('cannot')
    const dense = planRendition({ ...video, sizeBytes: 300_000_000 }, { ...rules, bitsPerSecondMax: 25_000_000 })
    if (dense.kind !== 'video') throw new Error(dense.kind)
    expect(dense.plan.encode?.bitsPerSecond).toBeLessThan(25_000_000)
    expect(dense.changes.map(({ message }) => message)).toEqual(['The video was compressed to at most 25 Mbit/s.'])
  })

  test('are fitted in either orientation', () => {
    const x = { ...rules, sideMin: 32, sideMax: 1280, shortSideMax: 1024 }
    expect(planRendition({ ...video, width: 1080, height: 1920 }, x)).toMatchObject({
      plan: { encode: { width: 720, height: 1280 } },
    })
    expect(planRendition({ ...video, width: 3840, height: 2160 }, x)).toMatchObject({
      plan: { encode: { width: 1280, height: 720 } },
    })
    expect(planRendition({ ...video, width: 1280, height: 1280 }, x)).toMatchObject({
      plan: { encode: { width: 1024, height: 1024 } },
    })
    expect(planRendition({ ...video, width: 4000, height: 40 }, { ...rules, sideMin: 360, sideMax: 4096 })).toMatchObject({
      kind: 'cannot',
      violations: [expect.stringContaining('too narrow')],
    })
  })

  test('that are too small for the platform are refused', () =>
    expect(planRendition({ ...video, sizeBytes: 20_000 }, { ...rules, bytesMin: 75_000 })).toEqual({
      kind: 'cannot',
      violations: ['The video has 20 kB; at least 75 kB are needed.'],
    }))
})

test('an animation with too many frames is refused, and one with too many pixels made smaller', () => {
  const gif = { ...photo, mimeType: 'image/gif', width: 1000, height: 1000, traits: { frames: 350 } }
  const gifRules = { ...rules, mimeTypes: ['image/gif'], framesMax: 350, framePixelsMax: 87_500_000 }
  expect(planRendition(gif, gifRules)).toMatchObject({ plan: { width: 500, height: 500, isAnimated: true } })
  expect(planRendition({ ...gif, traits: { frames: 351 } }, gifRules)).toEqual({
    kind: 'cannot',
    violations: ['The picture has 351 frames; at most 350 are taken.'],
  })
})

test('guarantee: a client recognises what is changed in a file, to say it in another language', () => {
  const small = { ...rules, widthMax: 640, bytesMax: 1000 }
  const gif = { ...photo, mimeType: 'image/gif', traits: { frames: 9, hasAlpha: true, hasMetadata: true } }
  const oldVideo = {
    ...video,
    mimeType: 'video/quicktime',
    traits: { ...video.traits, videoCodec: 'prores', hasMetadata: true, framesPerSecond: 120 },
  }
  const plans = [
    planRendition(gif, { ...small, mimeTypes: ['image/jpeg'] }),
    planRendition({ ...photo, width: 100, height: 80 }, { ...rules, widthMin: 320 }),
    planRendition(oldVideo, { ...rules, widthMax: 640, bytesMax: 20_000_000, mimeTypes: ['video/mp4'] }),
  ]
  const changes = plans.flatMap((plan) => ('changes' in plan ? plan.changes : []))
  expect(new Set(changes.map(({ code }) => code)).size).toBeGreaterThan(6)
  for (const { code, message } of changes) {
    const read = readWarning(`Belfry: ${message}`)
    expect([code, read?.code, read?.params['platform']]).toEqual([
      code,
      `file_${code === 'bitrate' ? 'compressed' : code}`,
      'Belfry',
    ])
  }
})
