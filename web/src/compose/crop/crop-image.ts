import type { Box } from './crop-box.ts'

/** Some browsers draw nothing on a larger canvas. */
const pixelsMax = 16_000_000

/** Only these can be written by every browser. PNG keeps transparency. */
const writtenTypes: Readonly<Record<string, { type: string; ending: string }>> = {
  'image/png': { type: 'image/png', ending: 'png' },
  'image/webp': { type: 'image/png', ending: 'png' },
}
const usual = { type: 'image/jpeg', ending: 'jpg' }

/** Draws a part of a picture into a new file. The picture must be loaded with permission to read it, or the browser refuses. */
export async function cropImage(picture: HTMLImageElement, box: Box, from: { name: string; mimeType: string }): Promise<File> {
  const scale = Math.min(1, Math.sqrt(pixelsMax / (box.width * box.height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(box.width * scale)
  canvas.height = Math.round(box.height * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser has no canvas')
  context.drawImage(picture, box.left, box.top, box.width, box.height, 0, 0, canvas.width, canvas.height)
  const { type, ending } = writtenTypes[from.mimeType] ?? usual
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92))
  if (!blob) throw new Error('the browser made no picture')
  return new File([blob], `${from.name.replace(/\.\w+$/, '')}-crop.${ending}`, { type })
}
