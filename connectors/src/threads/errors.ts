import { PlatformError } from '../kit/platform-error.ts'
import { classifyGraph } from '../meta/classify-graph.ts'

/** The code and subcode when publishing is refused without a reason. */
export const notPublishable = '24/4279009'

export const classify = classifyGraph('Threads', {
  codes: {},
  subcodes: {
    33: { kind: 'gone', message: 'Threads has no such account or post.' },
    2207051: { kind: 'limited', message: 'Threads has restricted this account for a while because of its activity.' },
    // The code is the same for a container that is published, expired or not ready. Only the container's state can tell.
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
  EXPIRED: 'The prepared post was not published within a day, so Threads discarded it. Retry to prepare it again.',
}

/** Threads names no code for a picture that it could not fetch, so a reason that is not known may be that one. */
const isAboutFile = (reason: string) => reason in containerMessages && reason !== 'FAILED_DOWNLOADING_VIDEO'

/** The reason why a container cannot be published. A new container may work; if the reason is the file, a person decides whether to try. */
export function refusedContainer(reason: string): PlatformError {
  const message = containerMessages[reason] ?? 'Threads could not prepare the post. Retry to prepare it again.'
  return new PlatformError({ kind: 'rejected', platformCode: reason, message, isTemporary: !isAboutFile(reason) })
}
