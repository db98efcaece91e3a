import { rename, stat } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import type { ImagePlan } from '@carillon/core'
import type { DecodeResult, RenderedFile } from './decode-job.ts'
import { pixelsMax } from './read-image.ts'

const qualities = [90, 80, 70, 55]
const shrinkBy = 0.8

/** Converts an image to the planned size and format, upright and without metadata, within the size limit. */
export async function renderImage(job: { path: string; outPath: string; plan: ImagePlan }): Promise<DecodeResult<RenderedFile>> {
  const { path, outPath, plan } = job
  const limit = plan.bytesMax ?? Infinity
  const isLossless = plan.format === 'png' || plan.format === 'gif'
  for (let width = plan.width; width >= plan.widthMin; width = Math.floor(width * shrinkBy)) {
    const height = Math.max(1, Math.round((plan.height * width) / plan.width))
    for (const quality of isLossless ? [100] : qualities) {
      const made = await encodeImage(path, { ...plan, width, height }, quality).toFile(`${outPath}.try`)
      const { size } = await stat(`${outPath}.try`)
      if (size > limit) continue
      await rename(`${outPath}.try`, outPath)
      return { width: made.width, height: made.pageHeight ?? made.height, sizeBytes: size }
    }
  }
  return { refused: `The picture cannot be made smaller than ${plan.bytesMax} bytes and stay recognisable.` }
}

function encodeImage(path: string, { width, height, format, isAnimated }: ImagePlan, quality: number): Sharp {
  const source = sharp(path, { limitInputPixels: pixelsMax * 10, failOn: 'error', autoOrient: !isAnimated, animated: isAnimated })
  // sharp drops metadata by default. The colour profile is kept because colours depend on it.
  const sized = source.resize(width, height, { fit: 'fill' }).keepIccProfile()
  if (format === 'jpeg') return sized.flatten({ background: '#fff' }).jpeg({ quality, mozjpeg: false })
  if (format === 'png') return sized.png({ compressionLevel: 9 })
  if (format === 'webp') return sized.webp({ quality })
  if (format === 'avif') return sized.avif({ quality: Math.round(quality * 0.7), effort: 3 })
  return sized.gif({ keepDuplicateFrames: true })
}
