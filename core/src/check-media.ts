import type { Manifest, MediaRules } from '@carillon/contract'
import { countCodePoints } from './count-text.ts'
import type { DraftMedia } from './draft.ts'
import { count, formatBytesApart, formatNumber } from './format-number.ts'
import type { Violation, ViolationCode } from './violation.ts'

type File = { media: DraftMedia; path: string; rules: MediaRules | null }

/** What is wrong with one file. Without rules the platform takes none of its kind, which is said elsewhere. */
export function checkMedia({ media, path, rules }: File, { name, altTextMax }: Manifest): Violation[] {
  if (rules === null) return []
  const found = checks.flatMap((check) => check(media, rules, name)).map((broken) => ({ ...broken, path }))
  const altLength = countCodePoints(media.alt)
  if (altTextMax !== null && altLength > altTextMax) {
    const message = `${name} takes alt text of at most ${count(altTextMax, 'character')}; this one has ${formatNumber(altLength)}.`
    found.push({ code: 'alt_too_long', path: `${path}.alt`, message })
  }
  return found
}

type Broken = { code: ViolationCode; message: string }
type Check = (media: DraftMedia, rules: MediaRules, name: string) => Broken[]

const checks: readonly Check[] = [checkType, checkSize, checkPixels, checkWidth, checkRatio, checkDuration, checkPages]

function checkType({ mimeType }: DraftMedia, { mimeTypes }: MediaRules, name: string): Broken[] {
  if (mimeTypes.length === 0 || mimeTypes.includes(mimeType)) return []
  return [{ code: 'media_type', message: `${name} takes ${mimeTypes.join(', ')}; this file is ${mimeType}.` }]
}

function checkSize({ sizeBytes }: DraftMedia, { bytesMax }: MediaRules, name: string): Broken[] {
  if (bytesMax === null || sizeBytes <= bytesMax) return []
  const [limit, actual] = formatBytesApart(bytesMax, sizeBytes)
  return [{ code: 'media_too_large', message: `${name} takes files of at most ${limit}; this one has ${actual}.` }]
}

function checkPixels({ width, height }: DraftMedia, { pixelsMax }: MediaRules, name: string): Broken[] {
  if (pixelsMax === null || width === null || height === null || width * height <= pixelsMax) return []
  const message = `${name} takes at most ${count(pixelsMax, 'pixel')}; this file has ${formatNumber(width * height)}.`
  return [{ code: 'media_pixels', message }]
}

function checkWidth({ width }: DraftMedia, { widthMin, widthMax }: MediaRules, name: string): Broken[] {
  if (width === null) return []
  return outside({ value: width, min: widthMin, max: widthMax }, (bound, limit) => ({
    code: 'media_width',
    message: `${name} takes a width of at ${bound} ${count(limit, 'pixel')}; this file has ${formatNumber(width)}.`,
  }))
}

function checkRatio({ width, height }: DraftMedia, { ratioMin, ratioMax }: MediaRules, name: string): Broken[] {
  if (width === null || height === null || width === 0 || height === 0) return []
  const message = (bound: Bound, limit: number) =>
    `${name} takes a width of at ${bound} ${formatNumber(limit)} times the height; this file is ${width} × ${height}.`
  // Whole pixels rarely hit a ratio exactly, so half a pixel either way is granted.
  if (ratioMin !== null && (width + 0.5) / (height - 0.5) < ratioMin)
    return [{ code: 'media_ratio', message: message('least', ratioMin) }]
  if (ratioMax !== null && (width - 0.5) / (height + 0.5) > ratioMax)
    return [{ code: 'media_ratio', message: message('most', ratioMax) }]
  return []
}

function checkDuration({ durationSeconds }: DraftMedia, { secondsMin, secondsMax }: MediaRules, name: string): Broken[] {
  if (durationSeconds === null) return []
  return outside({ value: durationSeconds, min: secondsMin, max: secondsMax }, (bound, limit) => ({
    code: 'media_duration',
    message: `${name} takes at ${bound} ${count(limit, 'second')}; this file lasts ${formatNumber(durationSeconds)}.`,
  }))
}

function checkPages({ pages }: DraftMedia, { pagesMax }: MediaRules, name: string): Broken[] {
  if (pages === null || pagesMax === null || pages <= pagesMax) return []
  return [
    { code: 'media_pages', message: `${name} takes at most ${count(pagesMax, 'page')}; this file has ${formatNumber(pages)}.` },
  ]
}

type Bound = 'least' | 'most'
type Measured = { value: number; min: number | null; max: number | null }

function outside({ value, min, max }: Measured, describe: (bound: Bound, limit: number) => Broken): Broken[] {
  if (min !== null && value < min) return [describe('least', min)]
  if (max !== null && value > max) return [describe('most', max)]
  return []
}
