import type { MediaTraits } from '../../infra/db/tables.ts'
import type { ImagePlan } from './decode/decode-job.ts'

export type RenditionSource = {
  type: 'image' | 'video' | 'document'
  mimeType: string
  sizeBytes: number
  width: number | null
  height: number | null
  durationSeconds: number | null
  pages: number | null
  traits: MediaTraits
}

export type VideoPlan = {
  /** Null copies the video and audio streams unchanged into another container. */
  encode: {
    width: number
    height: number
    bitsPerSecond: number | null
    /** The constant frame rate of the result; null if that of the source is not known. */
    framesPerSecond: number | null
  } | null
  mimeType: 'video/mp4' | 'video/quicktime' | 'video/webm'
  bytesMin: number | null
  bytesMax: number | null
}

/** How a file must be changed before a platform accepts it, with a sentence for each change, or why that is impossible. */
export type RenditionPlan =
  | { kind: 'as_is' }
  | { kind: 'image'; plan: ImagePlan; mimeType: string; changes: string[] }
  | { kind: 'video'; plan: VideoPlan; changes: string[] }
  | { kind: 'cannot'; violations: string[] }

/** A file whose width and height are known. */
export type SizedSource = RenditionSource & { width: number; height: number }
