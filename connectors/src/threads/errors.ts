import type { FailureReason } from '@carillon/contract'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { checkWaitsMs } from '../meta/check-waits-ms.ts'
import { classifyGraph } from '../meta/classify-graph.ts'

export const because = explainFor('Threads')

/** The code and subcode when publishing is refused without a reason. */
export const notPublishable = '24/4279009'

export const classify = classifyGraph('Threads', {
  codes: {},
  subcodes: {
    33: { kind: 'gone', ...because('not_found') },
    2207051: { kind: 'limited', ...because('restricted_for_a_while') },
    // Items of a carousel that are not finished.
    4279004: { kind: 'unavailable', ...because('preparing'), waitsMs: checkWaitsMs },
    // The code is the same for a container that is published, expired or not ready. Only the container's state can tell.
    4279009: { kind: 'unknown', message: 'Threads would not publish the prepared post.' },
    4279013: { kind: 'rejected', ...because('restricted') },
  },
})

const containerReasons: Partial<Record<string, FailureReason>> = {
  FAILED_DOWNLOADING_VIDEO: 'file_not_fetched',
  FAILED_PROCESSING_AUDIO: 'file_unprocessed',
  FAILED_PROCESSING_VIDEO: 'file_unprocessed',
  INVALID_ASPEC_RATIO: 'file_shape',
  INVALID_BIT_RATE: 'video_bit_rate',
  INVALID_DURATION: 'video_length',
  INVALID_FRAME_RATE: 'video_frame_rate',
  INVALID_AUDIO_CHANNELS: 'video_sound',
  INVALID_AUDIO_CHANNEL_LAYOUT: 'video_sound',
  EXPIRED: 'preparation_expired',
}

/** Threads names no code for a picture that it could not fetch, so a reason that is not known may be that one. */
const isAboutFile = (reason: string) => Object.hasOwn(containerReasons, reason) && reason !== 'FAILED_DOWNLOADING_VIDEO'

/** The reason why a container cannot be published. A new container may work; if the reason is the file, a person decides whether to try. */
export function refusedContainer(reason: string): PlatformError {
  const why = because((Object.hasOwn(containerReasons, reason) && containerReasons[reason]) || 'not_prepared')
  return new PlatformError({ kind: 'rejected', platformCode: reason, ...why, isTemporary: !isAboutFile(reason) })
}
