import type { MediaRules } from '@carillon/contract'
import { formatBytes, formatNumber } from '@carillon/core'
import type { MediaTraits } from '../../infra/db/tables.ts'
import type { ImageFormat, ImagePlan } from './decode/decode-job.ts'

export type RenditionSource = {
  type: 'image' | 'video' | 'document'
  mimeType: string
  sizeBytes: number
  width: number | null
  height: number | null
  durationSeconds: number | null
  pages: number | null
  traits: MediaTraits
}

export type VideoPlan = {
  /** Null copies the video and audio streams unchanged into another container. */
  encode: {
    width: number
    height: number
    bitsPerSecond: number | null
    /** The constant frame rate of the result; null if that of the source is not known. */
    framesPerSecond: number | null
  } | null
  mimeType: 'video/mp4' | 'video/quicktime' | 'video/webm'
  bytesMin: number | null
  bytesMax: number | null
}

/** How a file must be changed before a platform accepts it, with a sentence for each change, or why that is impossible. */
export type RenditionPlan =
  | { kind: 'as_is' }
  | { kind: 'image'; plan: ImagePlan; mimeType: string; changes: string[] }
  | { kind: 'video'; plan: VideoPlan; changes: string[] }
  | { kind: 'cannot'; violations: string[] }

const imageFormats: Readonly<Record<string, ImageFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
}
const formatNames: Readonly<Record<string, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  gif: 'GIF',
  avif: 'AVIF',
  'video/mp4': 'MP4',
  'video/quicktime': 'MOV',
  'video/webm': 'WebM',
}

/** Images are never made narrower than this: below it a photo is useless. */
const sideMin = 320
const bitsPerSecondMin = 300_000
/** Encoders refuse a limit above 2 Gbit/s, and no video of the sizes that platforms accept needs more than this. */
const bitsPerSecondMax = 60_000_000
const audioBitsPerSecond = 128_000
/** The frame rate of a video that has fewer frames than the platform accepts. */
const usualFps = 30
/** Every platform accepts this sampling rate, and most of them no higher one. */
const audioHertzMax = 48_000

export function planRendition(source: RenditionSource, rules: MediaRules): RenditionPlan {
  if (source.type === 'document') return planDocument(source, rules)
  const { width, height } = source
  if (width === null || height === null) return { kind: 'as_is' }
  const sized = { ...source, width, height }
  const violations = [
    ...ratioViolations(sized, rules),
    ...(source.type === 'image' ? frameViolations(source, rules) : lengthViolations(source, rules)),
    ...sideViolations(sized, rules),
  ]
  if (violations.length > 0) return { kind: 'cannot', violations }
  return source.type === 'image' ? planImage(sized, rules) : planVideo(sized, rules)
}

type SizedSource = RenditionSource & { width: number; height: number }

function planImage(source: SizedSource, rules: MediaRules): RenditionPlan {
  const { width, height, traits, mimeType, sizeBytes } = source
  const changes: string[] = []
  const format = chooseFormat(source, rules)
  if (!format)
    return { kind: 'cannot', violations: [`The file is ${mimeType} and cannot become ${rules.mimeTypes.join(' or ')}.`] }
  const size = fitSize(source, rules)
  const hasFrames = (traits.frames ?? 1) > 1
  const isAnimated = hasFrames && (format === 'gif' || format === 'webp')
  if (imageFormats[mimeType] !== format) changes.push(`The picture was made a ${formatNames[format]}.`)
  if (hasFrames && !isAnimated) changes.push('Only the first picture of the animation is shown.')
  if (traits.hasAlpha && format === 'jpeg') changes.push('The transparent parts were made white.')
  if (size.width < width) changes.push(`The picture was made smaller: ${size.width} × ${size.height} pixels.`)
  if (size.width > width) changes.push(`The picture was made larger: ${size.width} × ${size.height} pixels.`)
  const isTooLarge = rules.bytesMax !== null && sizeBytes > rules.bytesMax
  if (isTooLarge) changes.push(`The file was compressed to at most ${formatBytes(rules.bytesMax ?? 0)}.`)
  if (traits.hasMetadata) changes.push('Metadata of the file, such as place and camera, was removed.')
  if (changes.length === 0) return { kind: 'as_is' }
  const widthMin = Math.min(size.width, Math.max(rules.widthMin ?? 0, sideMin))
  const plan = { ...size, format, isAnimated, bytesMax: rules.bytesMax, widthMin }
  return { kind: 'image', plan, mimeType: `image/${format}`, changes }
}

/** Keeps the format if the platform accepts it; otherwise chooses the accepted one that loses least. */
function chooseFormat({ mimeType, traits }: RenditionSource, { mimeTypes }: MediaRules): ImageFormat | null {
  const isAccepted = (format: ImageFormat) => mimeTypes.length === 0 || mimeTypes.includes(`image/${format}`)
  const own = imageFormats[mimeType]
  if (own && isAccepted(own)) return own
  const preferred: ImageFormat[] = traits.hasAlpha ? ['png', 'webp', 'jpeg'] : ['jpeg', 'png', 'webp']
  return preferred.find(isAccepted) ?? null
}

function planVideo(source: SizedSource, rules: MediaRules): RenditionPlan {
  const { width, height, mimeType, sizeBytes, traits } = source
  const container = chooseContainer(mimeType, rules)
  if (!container)
    return { kind: 'cannot', violations: [`The file is ${mimeType} and cannot become ${rules.mimeTypes.join(' or ')}.`] }
  const size = fitSize(source, rules)
  const bitsPerSecond = computeBitrateMax(source, rules)
  const framesPerSecond = fitFrameRate(source, rules)
  const isTooShort = framesPerSecond !== null && rules.fpsMin !== null && framesPerSecond < rules.fpsMin
  const tooLong = `The video cannot be made as small as ${formatBytes(rules.bytesMax ?? 0)}; cut it shorter.`
  if (bitsPerSecond !== null && bitsPerSecond < bitsPerSecondMin) return { kind: 'cannot', violations: [tooLong] }
  if (isTooShort) return { kind: 'cannot', violations: ['The video has too many frames; cut it shorter.'] }
  const isTooLarge = rules.bytesMax !== null && sizeBytes > rules.bytesMax
  const isTooDense = exceedsBitrate(source, rules)
  const needsEncoding = !hasSupportedCodecs(container, traits)
  const isResized = size.width !== width
  const hasNewRate = framesPerSecond !== null && framesPerSecond !== traits.framesPerSecond
  const changes: string[] = []
  if (container !== mimeType) changes.push(`The video was made an ${formatNames[container]}.`)
  if (needsEncoding)
    changes.push(`The video was encoded again, because not every platform accepts ${traits.videoCodec ?? 'its codec'}.`)
  if (isResized)
    changes.push(`The video was made ${size.width < width ? 'smaller' : 'larger'}: ${size.width} × ${size.height} pixels.`)
  if (hasNewRate) changes.push(`The video was given ${formatNumber(framesPerSecond)} frames per second.`)
  if (isTooLarge) changes.push(`The file was compressed to at most ${formatBytes(rules.bytesMax ?? 0)}.`)
  else if (isTooDense) changes.push(`The video was compressed to at most ${formatMegabits(rules.bitsPerSecondMax ?? 0)}.`)
  if (traits.hasMetadata) changes.push('Metadata of the file, such as place and camera, was removed.')
  if (changes.length === 0) return planUnchanged(source, rules)
  const isEncoded = needsEncoding || isResized || hasNewRate || isTooLarge || isTooDense
  const encode = isEncoded ? { ...size, bitsPerSecond, framesPerSecond } : null
  const { bytesMin, bytesMax } = rules
  return { kind: 'video', plan: { encode, mimeType: container, bytesMin, bytesMax }, changes }
}

function planUnchanged({ sizeBytes }: RenditionSource, { bytesMin }: MediaRules): RenditionPlan {
  if (bytesMin === null || sizeBytes >= bytesMin) return { kind: 'as_is' }
  const violation = `The video has ${formatBytes(sizeBytes)}; at least ${formatBytes(bytesMin)} are needed.`
  return { kind: 'cannot', violations: [violation] }
}

function chooseContainer(mimeType: string, { mimeTypes }: MediaRules): VideoPlan['mimeType'] | null {
  const isAccepted = (type: string) => mimeTypes.length === 0 || mimeTypes.includes(type)
  if (isAccepted(mimeType) && (mimeType === 'video/mp4' || mimeType === 'video/quicktime' || mimeType === 'video/webm'))
    return mimeType
  return isAccepted('video/mp4') ? 'video/mp4' : isAccepted('video/quicktime') ? 'video/quicktime' : null
}

/** In MP4 and MOV, only H.264 with AAC is supported by every platform. */
function hasSupportedCodecs(
  container: VideoPlan['mimeType'],
  { videoCodec = '', audioCodec = null, pixelFormat = '', audioHertz = 0 }: MediaTraits,
): boolean {
  if (audioHertz > audioHertzMax) return false
  if (container === 'video/webm') return ['vp8', 'vp9', 'av1'].includes(videoCodec)
  const is420 = pixelFormat === 'yuv420p' || pixelFormat === 'yuvj420p'
  return videoCodec === 'h264' && is420 && (audioCodec === null || audioCodec === 'aac')
}

/** The highest video bitrate with which the file stays within the limits on its size and bitrate, with 8 % in reserve. */
function computeBitrateMax({ durationSeconds }: RenditionSource, rules: MediaRules): number | null {
  const bySize = rules.bytesMax === null || !durationSeconds ? null : (rules.bytesMax * 8) / durationSeconds
  if (bySize === null && rules.bitsPerSecondMax === null) return null
  const limit = Math.min(bySize ?? Infinity, rules.bitsPerSecondMax ?? Infinity) * 0.92 - audioBitsPerSecond
  return Math.floor(Math.min(limit, bitsPerSecondMax))
}

function exceedsBitrate({ sizeBytes, durationSeconds }: RenditionSource, { bitsPerSecondMax: max }: MediaRules): boolean {
  return max !== null && durationSeconds !== null && (sizeBytes * 8) / durationSeconds > max
}

/** The frame rate of the source, or the nearest one that the rules allow; null if it is not known. */
function fitFrameRate({ traits, durationSeconds }: RenditionSource, { fpsMin, fpsMax, framesMax }: MediaRules): number | null {
  const { framesPerSecond } = traits
  if (!framesPerSecond) return null
  const wanted = fpsMin !== null && framesPerSecond < fpsMin ? Math.max(usualFps, fpsMin) : framesPerSecond
  const byFrames = framesMax === null || !durationSeconds ? Infinity : Math.floor((framesMax / durationSeconds) * 100) / 100
  return Math.min(wanted, fpsMax ?? Infinity, byFrames)
}

function formatMegabits(bitsPerSecond: number): string {
  return `${formatNumber(bitsPerSecond / 1_000_000)} Mbit/s`
}

function planDocument({ sizeBytes, pages, mimeType }: RenditionSource, rules: MediaRules): RenditionPlan {
  const violations: string[] = []
  if (rules.mimeTypes.length > 0 && !rules.mimeTypes.includes(mimeType))
    violations.push(`The file is ${mimeType}; ${rules.mimeTypes.join(', ')} is taken.`)
  if (rules.bytesMax !== null && sizeBytes > rules.bytesMax)
    violations.push(`The document has ${formatBytes(sizeBytes)}; at most ${formatBytes(rules.bytesMax)} are taken.`)
  if (rules.pagesMax !== null && pages !== null && pages > rules.pagesMax)
    violations.push(`The document has ${formatNumber(pages)} pages; at most ${formatNumber(rules.pagesMax)} are taken.`)
  return violations.length > 0 ? { kind: 'cannot', violations } : { kind: 'as_is' }
}

/** Images are never cropped: a person must choose the part. Half a pixel of tolerance, the same as in the checks of a draft. */
function ratioViolations({ width, height }: { width: number; height: number }, { ratioMin, ratioMax }: MediaRules): string[] {
  const shape = `it is ${width} × ${height}`
  if (ratioMin !== null && (width + 0.5) / (height - 0.5) < ratioMin)
    return [`The picture is too tall: ${shape}, and the width must be at least ${formatNumber(ratioMin)} times the height.`]
  if (ratioMax !== null && (width - 0.5) / (height + 0.5) > ratioMax)
    return [`The picture is too wide: ${shape}, and the width may be at most ${formatNumber(ratioMax)} times the height.`]
  return []
}

function lengthViolations({ durationSeconds }: RenditionSource, { secondsMin, secondsMax }: MediaRules): string[] {
  if (durationSeconds === null) return []
  if (secondsMin !== null && durationSeconds < secondsMin)
    return [`The video lasts ${formatNumber(durationSeconds)} s; at least ${formatNumber(secondsMin)} s are needed.`]
  if (secondsMax !== null && durationSeconds > secondsMax)
    return [`The video lasts ${formatNumber(durationSeconds)} s; at most ${formatNumber(secondsMax)} s are taken.`]
  return []
}

function frameViolations({ traits }: RenditionSource, { framesMax }: MediaRules): string[] {
  const frames = traits.frames ?? 1
  if (framesMax === null || frames <= framesMax) return []
  return [`The picture has ${formatNumber(frames)} frames; at most ${formatNumber(framesMax)} are taken.`]
}

/** A very long and narrow picture cannot be made to fit if one side would become too long before the other is long enough. */
function sideViolations(source: SizedSource, rules: MediaRules): string[] {
  const { width, height } = fitSize(source, rules)
  const { sideMin, sideMax } = rules
  if (sideMin === null || sideMax === null || (Math.min(width, height) >= sideMin && Math.max(width, height) <= sideMax)) return []
  const range = `${formatNumber(sideMin)} to ${formatNumber(sideMax)} pixels`
  return [`The picture is too narrow: it is ${source.width} × ${source.height}, and each side must have ${range}.`]
}

/** The nearest size with the same aspect ratio that the rules allow. */
function fitSize({ width, height, traits }: SizedSource, rules: MediaRules): { width: number; height: number } {
  const atMost = (limit: number | null, actual: number) => (limit === null ? 1 : limit / actual)
  const [shortSide, longSide] = [Math.min(width, height), Math.max(width, height)]
  const shrink = Math.min(
    1,
    atMost(rules.widthMax, width),
    atMost(rules.sideMax, longSide),
    atMost(rules.shortSideMax, shortSide),
    Math.sqrt(atMost(rules.pixelsMax, width * height)),
    Math.sqrt(atMost(rules.framePixelsMax, width * height * (traits.frames ?? 1))),
  )
  const grow = Math.max((rules.widthMin ?? 0) / width, (rules.sideMin ?? 0) / shortSide)
  const scale = grow > 1 ? grow : shrink
  if (scale === 1) return { width, height }
  // Rounded down: rounding up could exceed the limit on pixels by one row.
  return { width: Math.max(1, Math.floor(width * scale + 1e-9)), height: Math.max(1, Math.floor(height * scale + 1e-9)) }
}
