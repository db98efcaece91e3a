import type { ImagePlan } from '@carillon/core'

/** The input of the decode process, passed as JSON. The types below are its results. */
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

/** Why a file is refused, as a sentence for the person who sent it. */
type Refusal = { refused: string }
export type DecodeResult<T> = T | Refusal

/** A program that opens videos is not installed. `check-decoders.ts` reports it at start. */
export class MissingToolError extends Error {
  constructor(tool: string) {
    super(`${tool} is not installed`)
    this.name = 'MissingToolError'
  }
}
