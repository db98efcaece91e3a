import type { DraftMedia } from './draft.ts'

/** What preparing a file for a platform needs to know besides its dimensions. */
export type MediaTraits = {
  /** The number of frames of an animated image. */
  frames?: number
  hasAlpha?: boolean
  /** The file contains metadata, such as where and with which device it was made. */
  hasMetadata?: boolean
  videoCodec?: string
  pixelFormat?: string
  audioCodec?: string | null
  /** The average of the whole video. Files that were uploaded before it was read have none. */
  framesPerSecond?: number
  audioHertz?: number
}

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

/** How an image is converted so that it fits the rules. */
export type ImagePlan = {
  width: number
  height: number
  format: ImageFormat
  /** Keep all frames of an animation. */
  isAnimated: boolean
  bytesMax: number | null
  /** The image is never made narrower than this. */
  widthMin: number
}

/** One thing that is changed in a file: a sentence, and its values for a sentence in another language. */
export type FileChange = {
  code:
    | 'converted'
    | 'first_frame'
    | 'white_background'
    | 'smaller'
    | 'larger'
    | 'compressed'
    | 'bitrate'
    | 'encoded'
    | 'frame_rate'
    | 'metadata_removed'
  message: string
  params: Readonly<Record<string, string | number>>
}

export type RenditionSource = Omit<DraftMedia, 'kind' | 'alt'> & { type: DraftMedia['kind']; traits: MediaTraits }

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
  | { kind: 'image'; plan: ImagePlan; mimeType: string; changes: FileChange[] }
  | { kind: 'video'; plan: VideoPlan; changes: FileChange[] }
  | { kind: 'cannot'; violations: string[] }

/** A file whose width and height are known. */
export type SizedSource = RenditionSource & { width: number; height: number }
