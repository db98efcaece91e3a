import { PlatformError } from '../kit/platform-error.ts'
import { classifyGraph } from '../meta/classify-graph.ts'

/** Code and subcode of a publish that was refused without saying why. */
export const notPublishable = '24/4279009'

export const classify = classifyGraph('Threads', {
  codes: {},
  subcodes: {
    33: { kind: 'gone', message: 'Threads has no such account or post.' },
    2207051: { kind: 'limited', message: 'Threads has restricted this account for a while because of its activity.' },
    // Publishing a container that is spent, too old or not ready looks the same; only the container knows which.
    4279009: { kind: 'unknown', message: 'Threads would not publish the prepared post.' },
    4279013: { kind: 'rejected', message: 'Threads has restricted this account. See the Threads app for what to do.' },
  },
})

const containerMessages: Partial<Record<string, string>> = {
  FAILED_DOWNLOADING_VIDEO: 'Threads could not download the file. Retry to prepare the post again.',
  FAILED_PROCESSING_AUDIO: 'Threads could not process the sound of the video.',
  FAILED_PROCESSING_VIDEO: 'Threads could not process the video.',
  INVALID_ASPEC_RATIO: 'Threads refused the file because of its shape (width to height).',
  INVALID_BIT_RATE: 'Threads refused the video because of its bit rate.',
  INVALID_DURATION: 'Threads refused the video because of its length.',
  INVALID_FRAME_RATE: 'Threads refused the video because of its frame rate.',
  INVALID_AUDIO_CHANNELS: 'Threads refused the video because of its sound channels.',
  INVALID_AUDIO_CHANNEL_LAYOUT: 'Threads refused the video because of its sound channels.',
  EXPIRED: 'The prepared post lay unpublished for a day and Threads discarded it. Retry to prepare it again.',
}

/** Why a container can never be published. A new one may fare better, which is for a person to decide. */
export function refusedContainer(reason: string): PlatformError {
  const message = containerMessages[reason] ?? 'Threads could not prepare the post. Retry to prepare it again.'
  return new PlatformError({ kind: 'rejected', platformCode: reason, message })
}
