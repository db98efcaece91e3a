import type { PlatformRules, MediaRules } from '@carillon/contract'
import { countCodePoints } from './count-text.ts'
import type { DraftMedia } from './draft.ts'
import { formatCount, formatDistinctBytes, formatNumber } from './format-number.ts'
import type { Violation } from './violation.ts'

type MediaToCheck = { media: DraftMedia; path: string; rules: MediaRules | null }

/** Lists the rules that one file breaks. Without rules the platform does not take this kind of media, and checkDraft reports that. */
export function checkMedia({ media, path, rules }: MediaToCheck, { name, altText }: PlatformRules): Violation[] {
  if (rules === null) return []
  const violations = checks.flatMap((check) => check(media, rules, name)).map((violation) => ({ ...violation, path }))
  const altLength = countCodePoints(media.alt)
  if (altText.max !== null && altText.kinds.includes(media.kind) && altLength > altText.max) {
    const message = `${name} takes alt text of at most ${formatCount(altText.max, 'character')}; this one has ${formatNumber(altLength)}.`
    const params = { platform: name, limit: altText.max, actual: altLength, unit: 'character' }
    violations.push({ code: 'alt_too_long', path: `${path}.alt`, message, params })
  }
  return violations
}

/** The limit on all files together. The size of a file that will still be converted is not known, and counts nothing. */
export function checkTotalSize(medias: readonly DraftMedia[], { name, filesBytesMax }: PlatformRules): Violation[] {
  const total = medias.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  // One file alone has the limit of its kind.
  if (filesBytesMax === null || filesBytesMax === undefined || medias.length < 2 || total <= filesBytesMax) return []
  const [limit, actual] = formatDistinctBytes(filesBytesMax, total)
  const message = `${name} takes files of at most ${limit} together; these have ${actual}.`
  const params = { platform: name, limit: filesBytesMax, actual: total, unit: 'byte' }
  return [{ code: 'media_too_large_together', path: 'medias', message, params }]
}

type FileViolation = Omit<Violation, 'path'>
type Check = (media: DraftMedia, rules: MediaRules, name: string) => FileViolation[]

const checks: readonly Check[] = [checkType, checkSize, checkPixels, checkWidth, checkRatio, checkDuration, checkPages]

function checkType({ mimeType }: DraftMedia, { mimeTypes }: MediaRules, name: string): FileViolation[] {
  if (mimeTypes.length === 0 || mimeTypes.includes(mimeType)) return []
  const message = `${name} takes ${mimeTypes.join(', ')}; this file is ${mimeType}.`
  return [{ code: 'media_type', message, params: { platform: name, allowed: mimeTypes, mimeType } }]
}

function checkSize({ sizeBytes }: DraftMedia, { bytesMax }: MediaRules, name: string): FileViolation[] {
  if (bytesMax === null || sizeBytes <= bytesMax) return []
  const [limit, actual] = formatDistinctBytes(bytesMax, sizeBytes)
  const params = { platform: name, limit: bytesMax, actual: sizeBytes, unit: 'byte' }
  return [{ code: 'media_too_large', message: `${name} takes files of at most ${limit}; this one has ${actual}.`, params }]
}

function checkPixels({ width, height }: DraftMedia, { pixelsMax }: MediaRules, name: string): FileViolation[] {
  if (pixelsMax === null || width === null || height === null || width * height <= pixelsMax) return []
  const message = `${name} takes at most ${formatCount(pixelsMax, 'pixel')}; this file has ${formatNumber(width * height)}.`
  return [{ code: 'media_pixels', message, params: { platform: name, limit: pixelsMax, actual: width * height, unit: 'pixel' } }]
}

function checkWidth({ width }: DraftMedia, { widthMin, widthMax }: MediaRules, name: string): FileViolation[] {
  if (width === null) return []
  return checkRange({ value: width, min: widthMin, max: widthMax }, (bound, limit) => ({
    code: 'media_width',
    message: `${name} takes a width of at ${bound} ${formatCount(limit, 'pixel')}; this file has ${formatNumber(width)}.`,
    params: { platform: name, limit, actual: width, bound, unit: 'pixel' },
  }))
}

function checkRatio({ width, height }: DraftMedia, { ratioMin, ratioMax }: MediaRules, name: string): FileViolation[] {
  if (width === null || height === null || width === 0 || height === 0) return []
  const violation = (bound: Bound, limit: number): FileViolation => ({
    code: 'media_ratio',
    message: `${name} takes a width of at ${bound} ${formatNumber(limit)} times the height; this file is ${width} × ${height}.`,
    params: { platform: name, limit, bound, width, height },
  })
  // Whole pixels rarely give an exact ratio, so half a pixel of tolerance is allowed either way.
  if (ratioMin !== null && (width + 0.5) / (height - 0.5) < ratioMin) return [violation('least', ratioMin)]
  if (ratioMax !== null && (width - 0.5) / (height + 0.5) > ratioMax) return [violation('most', ratioMax)]
  return []
}

function checkDuration({ durationSeconds }: DraftMedia, { secondsMin, secondsMax }: MediaRules, name: string): FileViolation[] {
  if (durationSeconds === null) return []
  return checkRange({ value: durationSeconds, min: secondsMin, max: secondsMax }, (bound, limit) => ({
    code: 'media_duration',
    message: `${name} takes at ${bound} ${formatCount(limit, 'second')}; this file lasts ${formatNumber(durationSeconds)}.`,
    params: { platform: name, limit, actual: durationSeconds, bound, unit: 'second' },
  }))
}

function checkPages({ pages }: DraftMedia, { pagesMax }: MediaRules, name: string): FileViolation[] {
  if (pages === null || pagesMax === null || pages <= pagesMax) return []
  return [
    {
      code: 'media_pages',
      message: `${name} takes at most ${formatCount(pagesMax, 'page')}; this file has ${formatNumber(pages)}.`,
      params: { platform: name, limit: pagesMax, actual: pages, unit: 'page' },
    },
  ]
}

type Bound = 'least' | 'most'
type Measurement = { value: number; min: number | null; max: number | null }

function checkRange({ value, min, max }: Measurement, describe: (bound: Bound, limit: number) => FileViolation): FileViolation[] {
  if (min !== null && value < min) return [describe('least', min)]
  if (max !== null && value > max) return [describe('most', max)]
  return []
}
