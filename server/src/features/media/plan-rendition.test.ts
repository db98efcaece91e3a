import type { MediaRules } from '@carillon/contract'
import { describe, expect, test } from 'vitest'
import { planRendition, type RenditionSource } from './plan-rendition.ts'

const rules: MediaRules = {
  max: 1,
  bytesMax: null,
  mimeTypes: [],
  pixelsMax: null,
  widthMin: null,
  widthMax: null,
  ratioMin: null,
  ratioMax: null,
  secondsMin: null,
  secondsMax: null,
  pagesMax: null,
}
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

/** Guarantee: a file is touched only where a rule asks for it, and every touch has its sentence. */
describe('pictures', () => {
  test('fit as they are', () => expect(planRendition(photo, { ...rules, mimeTypes: ['image/jpeg'] })).toEqual({ kind: 'as_is' }))

  test('shrink to the width and to the pixels, never past either', () => {
    expect(planRendition(photo, { ...rules, widthMax: 1440 })).toMatchObject({ plan: { width: 1440, height: 1080 } })
    const made = planRendition({ ...photo, width: 4001, height: 2999 }, { ...rules, pixelsMax: 1_000_000 })
    if (made.kind !== 'image') throw new Error(made.kind)
    expect(made.plan.width * made.plan.height).toBeLessThanOrEqual(1_000_000)
  })

  test('grow to the least width', () =>
    expect(planRendition({ ...photo, width: 100, height: 80 }, { ...rules, widthMin: 320 })).toMatchObject({
      plan: { width: 320, height: 256 },
      changes: ['The picture was made larger: 320 × 256 pixels.'],
    }))

  test('keep transparency where they can', () => {
    const clear = { ...photo, mimeType: 'image/webp', traits: { hasAlpha: true } }
    expect(planRendition(clear, { ...rules, mimeTypes: ['image/jpeg', 'image/png'] })).toMatchObject({ mimeType: 'image/png' })
    expect(planRendition(clear, { ...rules, mimeTypes: ['image/jpeg'] })).toMatchObject({ mimeType: 'image/jpeg' })
  })

  test('say when an animation stands still', () =>
    expect(
      planRendition({ ...photo, mimeType: 'image/gif', traits: { frames: 9 } }, { ...rules, mimeTypes: ['image/jpeg'] }),
    ).toMatchObject({
      plan: { isAnimated: false },
      changes: ['The picture was made a JPEG.', 'Only the first picture of the animation is shown.'],
    }))

  test('are not cropped', () =>
    expect(planRendition(photo, { ...rules, ratioMax: 1 })).toEqual({
      kind: 'cannot',
      violations: ['The picture is too wide: it is 4000 × 3000, and the width may be at most 1 times the height.'],
    }))
})

describe('videos', () => {
  test('fit as they are', () => expect(planRendition(video, { ...rules, mimeTypes: ['video/mp4'] })).toEqual({ kind: 'as_is' }))

  test('only change their container when that is all', () =>
    expect(planRendition({ ...video, mimeType: 'video/quicktime' }, { ...rules, mimeTypes: ['video/mp4'] })).toMatchObject({
      plan: { encode: null, mimeType: 'video/mp4' },
    }))

  test('are encoded anew for their coding, their size or their width', () => {
    expect(planRendition({ ...video, traits: { ...video.traits, videoCodec: 'hevc' } }, rules)).toMatchObject({
      plan: { encode: { width: 1920, height: 1080, bitsPerSecond: null } },
    })
    const lighter = planRendition(video, { ...rules, bytesMax: 20_000_000 })
    if (lighter.kind !== 'video') throw new Error(lighter.kind)
    expect((((lighter.plan.encode?.bitsPerSecond ?? 0) + 128_000) * 60) / 8).toBeLessThan(20_000_000)
  })

  test('are neither cut nor made worthless', () => {
    expect(planRendition(video, { ...rules, secondsMax: 30 })).toMatchObject({ kind: 'cannot' })
    expect(planRendition(video, { ...rules, bytesMax: 1_000_000 })).toMatchObject({ kind: 'cannot' })
  })
})
