import { createReadStream } from 'node:fs'
import sharp, { type Metadata } from 'sharp'
import type { DecodeResult, ImageFacts } from './decode-job.ts'

export const pixelsMax = 100_000_000
export const framesMax = 1000
const thumbnailSide = 480

sharp.cache(false)
sharp.concurrency(1)

/** Reads the size of an image and makes its thumbnail. The thumbnail requires a full decode, so damaged images are refused. */
export async function readImage({
  path,
  thumbnailPath,
}: {
  path: string
  thumbnailPath: string
}): Promise<DecodeResult<ImageFacts>> {
  // The size is read without sharp's pixel limit, so that the error message can name the size.
  const found = await sharp(path, { limitInputPixels: false, failOn: 'error' }).metadata()
  const { width, height } = found.autoOrient
  const frames = found.pages ?? 1
  const refused = refusal({ width, height: found.pageHeight ?? height, frames })
  if (refused) return { refused }
  await sharp(path, { limitInputPixels: pixelsMax, failOn: 'error', sequentialRead: true, autoOrient: true })
    .resize(thumbnailSide, thumbnailSide, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toFile(thumbnailPath)
  return {
    format: found.format,
    width,
    height: found.pageHeight ?? height,
    frames,
    hasAlpha: found.hasAlpha,
    hasMetadata: hasMetadata(found) || (found.format === 'gif' && (await contains(path, 'XMP DataXMP'))),
  }
}

function refusal({ width, height, frames }: { width: number; height: number; frames: number }): string | null {
  const format = (count: number) => count.toLocaleString('en')
  if (width * height > pixelsMax)
    return `The picture has ${format(width)} × ${format(height)} pixels; at most ${format(pixelsMax)} in all are taken.`
  if (frames > framesMax) return `The picture has ${format(frames)} frames; at most ${format(framesMax)} are taken.`
  if (width * height * frames > pixelsMax * 10)
    return `The picture has ${format(frames)} frames of ${format(width)} × ${format(height)} pixels, which is too much.`
  return null
}

/** Any of these blocks may contain the place where a photo was taken. */
function hasMetadata({ exif, xmp, iptc, tifftagPhotoshop, comments }: Metadata): boolean {
  return Boolean(exif ?? xmp ?? iptc ?? tifftagPhotoshop ?? comments?.length)
}

/** The decoder ignores XMP in a GIF, so the file is searched for the marker. */
async function contains(path: string, marker: string): Promise<boolean> {
  let end = ''
  for await (const chunk of createReadStream(path, { encoding: 'latin1' })) {
    if ((end + chunk).includes(marker)) return true
    end = String(chunk).slice(-marker.length)
  }
  return false
}
