import type { MediaRules } from '@carillon/contract'
import { fitSize } from './fit-size.ts'
import { formatBytes, formatNumber } from './format-number.ts'
import { planVideo } from './plan-video.ts'
import type { FileChange, ImageFormat, RenditionPlan, RenditionSource, SizedSource } from './rendition-plan.ts'

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
}

/** Images are never made narrower than this: below it a photo is useless. */
const imageWidthMin = 320

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

function planImage(source: SizedSource, rules: MediaRules): RenditionPlan {
  const { width, traits, mimeType, sizeBytes } = source
  const changes: FileChange[] = []
  const add = (code: FileChange['code'], message: string, params: FileChange['params'] = {}) =>
    changes.push({ code, message, params })
  const format = chooseFormat(source, rules)
  if (!format)
    return { kind: 'cannot', violations: [`The file is ${mimeType} and cannot become ${rules.mimeTypes.join(' or ')}.`] }
  const size = fitSize(source, rules)
  const hasFrames = (traits.frames ?? 1) > 1
  const isAnimated = hasFrames && (format === 'gif' || format === 'webp')
  if (imageFormats[mimeType] !== format)
    add('converted', `The picture was made a ${formatNames[format]}.`, { format: formatNames[format] ?? format })
  if (hasFrames && !isAnimated) add('first_frame', 'Only the first picture of the animation is shown.')
  if (traits.hasAlpha && format === 'jpeg') add('white_background', 'The transparent parts were made white.')
  if (size.width < width) add('smaller', `The picture was made smaller: ${size.width} × ${size.height} pixels.`, size)
  if (size.width > width) add('larger', `The picture was made larger: ${size.width} × ${size.height} pixels.`, size)
  if (rules.bytesMax !== null && sizeBytes > rules.bytesMax)
    add('compressed', `The file was compressed to at most ${formatBytes(rules.bytesMax)}.`, { limit: rules.bytesMax })
  if (traits.hasMetadata) add('metadata_removed', 'Metadata of the file, such as place and camera, was removed.')
  if (changes.length === 0) return { kind: 'as_is' }
  const widthMin = Math.min(size.width, Math.max(rules.widthMin ?? 0, imageWidthMin))
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
  if (sideMin === null || sideMax === null || (Math.min(width, height) >= sideMin && Math.max(width, height) <= sideMax))
    return []
  const range = `${formatNumber(sideMin)} to ${formatNumber(sideMax)} pixels`
  return [`The picture is too narrow: it is ${source.width} × ${source.height}, and each side must have ${range}.`]
}
