import { createReadStream } from 'node:fs'
import sharp, { type Metadata } from 'sharp'
import type { DecodeResult, ImageFacts } from './decode-job.ts'

export const pixelsMax = 100_000_000
export const framesMax = 1000
const thumbnailSide = 480

sharp.cache(false)
sharp.concurrency(1)

/** Reads a picture's measures and decodes it once, into its thumbnail: what cannot be decoded is no picture. */
export async function readImage({
  path,
  thumbnailPath,
}: {
  path: string
  thumbnailPath: string
}): Promise<DecodeResult<ImageFacts>> {
  // Measures first, without the library's own cap: the sentence shall name the number.
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
  const say = (count: number) => count.toLocaleString('en')
  if (width * height > pixelsMax)
    return `The picture has ${say(width)} × ${say(height)} pixels; at most ${say(pixelsMax)} in all are taken.`
  if (frames > framesMax) return `The picture has ${say(frames)} frames; at most ${say(framesMax)} are taken.`
  if (width * height * frames > pixelsMax * 10)
    return `The picture has ${say(frames)} frames of ${say(width)} × ${say(height)} pixels, which is too much.`
  return null
}

/** Anything beside the pixels and their colours may tell where a picture was taken. */
function hasMetadata({ exif, xmp, iptc, tifftagPhotoshop, comments }: Metadata): boolean {
  return Boolean(exif ?? xmp ?? iptc ?? tifftagPhotoshop ?? comments?.length)
}

/** The decoder passes over what a GIF says about itself, so it is looked for by its mark. */
async function contains(path: string, mark: string): Promise<boolean> {
  let end = ''
  for await (const chunk of createReadStream(path, { encoding: 'latin1' })) {
    if ((end + chunk).includes(mark)) return true
    end = String(chunk).slice(-mark.length)
  }
  return false
}
