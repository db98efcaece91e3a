import type { MediaRules } from '@carillon/contract'
import { fitSize } from './fit-size.ts'
import { formatBytes, formatNumber } from './format-number.ts'
import type { FileChange, MediaTraits, RenditionPlan, RenditionSource, SizedSource, VideoPlan } from './rendition-plan.ts'

const formatNames: Readonly<Record<VideoPlan['mimeType'], string>> = {
  'video/mp4': 'MP4',
  'video/quicktime': 'MOV',
  'video/webm': 'WebM',
}

const encodedSideMax = 1920
const encodedShortSideMax = 1080
const bitsPerSecondMin = 300_000
/** Encoders refuse a limit above 2 Gbit/s, and no video of the sizes that platforms accept needs more than this. */
const bitsPerSecondMax = 60_000_000
const audioBitsPerSecond = 128_000
/** The frame rate of a video that has fewer frames than the platform accepts. */
const usualFps = 30
/** Every platform accepts this sampling rate, and most of them no higher one. */
const audioHertzMax = 48_000

/** How a video must be changed for a platform. A video that fits is never encoded again. */
export function planVideo(source: SizedSource, rules: MediaRules): RenditionPlan {
  const { mimeType, traits } = source
  const container = chooseContainer(mimeType, rules)
  if (!container)
    return { kind: 'cannot', violations: [`The file is ${mimeType} and cannot become ${rules.mimeTypes.join(' or ')}.`] }
  const bitsPerSecond = computeBitrateMax(source, rules)
  const framesPerSecond = fitFrameRate(source, rules)
  const violations = rateViolations({ bitsPerSecond, framesPerSecond }, rules)
  if (violations.length > 0) return { kind: 'cannot', violations }

  const codecChanges = describeCodec(source, container)
  const rateChanges = describeRates(source, framesPerSecond, rules)
  const isEncoded = codecChanges.length > 0 || rateChanges.length > 0 || fitSize(source, rules).width !== source.width
  const size = isEncoded ? fitSize(source, withEncodingSize(rules)) : source
  const changes: FileChange[] = [
    ...describeContainer(mimeType, container),
    ...codecChanges,
    ...describeSize(source, size),
    ...rateChanges,
    ...(traits.hasMetadata ? [metadataRemoved] : []),
  ]
  if (changes.length === 0) return planUnchanged(source, rules)
  const { width, height } = size
  const encode = isEncoded ? { width, height, bitsPerSecond, framesPerSecond } : null
  const { bytesMin, bytesMax } = rules
  return { kind: 'video', plan: { encode, mimeType: container, bytesMin, bytesMax }, changes }
}

type Rates = Pick<NonNullable<VideoPlan['encode']>, 'bitsPerSecond' | 'framesPerSecond'>

function rateViolations({ bitsPerSecond, framesPerSecond }: Rates, { bytesMax, fpsMin }: MediaRules): string[] {
  if (bitsPerSecond !== null && bitsPerSecond < bitsPerSecondMin)
    return [`The video cannot be made as small as ${formatBytes(bytesMax ?? 0)}; cut it shorter.`]
  if (framesPerSecond !== null && fpsMin !== null && framesPerSecond < fpsMin)
    return ['The video has too many frames; cut it shorter.']
  return []
}

const metadataRemoved: FileChange = {
  code: 'metadata_removed',
  message: 'Metadata of the file, such as place and camera, was removed.',
  params: {},
}

function describeContainer(mimeType: string, container: VideoPlan['mimeType']): FileChange[] {
  const format = formatNames[container]
  return container === mimeType ? [] : [{ code: 'converted', message: `The video was made an ${format}.`, params: { format } }]
}

function describeCodec({ traits }: RenditionSource, container: VideoPlan['mimeType']): FileChange[] {
  if (hasSupportedCodecs(container, traits)) return []
  const message = `The video was encoded again, because not every platform accepts ${traits.videoCodec ?? 'its codec'}.`
  return [{ code: 'encoded', message, params: { codec: traits.videoCodec ?? '' } }]
}

function describeRates(source: RenditionSource, framesPerSecond: number | null, rules: MediaRules): FileChange[] {
  const changes: FileChange[] = []
  if (framesPerSecond !== null && framesPerSecond !== source.traits.framesPerSecond) {
    const message = `The video was given ${formatNumber(framesPerSecond)} frames per second.`
    changes.push({ code: 'frame_rate', message, params: { framesPerSecond } })
  }
  if (rules.bytesMax !== null && source.sizeBytes > rules.bytesMax) {
    const message = `The file was compressed to at most ${formatBytes(rules.bytesMax)}.`
    changes.push({ code: 'compressed', message, params: { limit: rules.bytesMax } })
  } else if (exceedsBitrate(source, rules)) {
    const rate = formatMegabits(rules.bitsPerSecondMax ?? 0)
    changes.push({ code: 'bitrate', message: `The video was compressed to at most ${rate}.`, params: { rate } })
  }
  return changes
}

function describeSize({ width }: SizedSource, size: { width: number; height: number }): FileChange[] {
  if (size.width === width) return []
  const code = size.width < width ? 'smaller' : 'larger'
  const message = `The video was made ${code}: ${size.width} × ${size.height} pixels.`
  return [{ code, message, params: { width: size.width, height: size.height } }]
}

/** Platforms show 1080p. Encoding more takes several times as long and as much memory, too long for a video of ten minutes. */
function withEncodingSize(rules: MediaRules): MediaRules {
  const sideMax = Math.min(rules.sideMax ?? Infinity, encodedSideMax)
  const shortSideMax = Math.min(rules.shortSideMax ?? Infinity, encodedShortSideMax)
  return { ...rules, sideMax, shortSideMax }
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
