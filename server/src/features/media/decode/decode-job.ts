/** What the worker is asked for, and answers with, as JSON. */
export type DecodeJob =
  | { kind: 'image'; path: string; thumbnailPath: string }
  | { kind: 'pdf'; path: string }
  | { kind: 'render'; path: string; outPath: string; plan: ImagePlan }

export type ImageFacts = {
  format: string
  width: number
  height: number
  frames: number
  hasAlpha: boolean
  hasMetadata: boolean
}
export type PdfFacts = { pages: number }
export type RenderedFile = { width: number; height: number; sizeBytes: number }

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

/** How a picture is made to fit. */
export type ImagePlan = {
  width: number
  height: number
  format: ImageFormat
  /** Keep all frames of a moving picture. */
  isAnimated: boolean
  bytesMax: number | null
  /** Not smaller than this, whatever it takes. */
  widthMin: number
}

/** Why a file is refused, in words for the person who sent it. */
export type Refusal = { refused: string }
export type DecodeResult<T> = T | Refusal
