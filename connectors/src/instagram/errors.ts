import type { FailureReason } from '@carillon/contract'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import type { Refusal } from '../kit/refusal.ts'
import { checkWaitsMs } from '../meta/check-waits-ms.ts'
import { classifyGraph } from '../meta/classify-graph.ts'

export const because = explainFor('Instagram')

/** The code and subcode when a container was already published or never existed. */
export const notPublishable = '24/2207006'

const rejected = (reason: FailureReason): Refusal => ({ kind: 'rejected', ...because(reason) })
const notPrepared = rejected('not_prepared')
const unreachable: Refusal = {
  ...rejected('file_not_fetched'),
  isTemporary: true,
}
const expired = rejected('preparation_expired')

/** These subcodes occur in the answer to a call and in the state of a container. */
const fileErrors: Record<number, Refusal> = {
  2207001: notPrepared,
  2207003: { ...rejected('file_not_fetched'), isTemporary: true },
  2207004: rejected('file_too_large'),
  2207005: { ...rejected('file_format'), message: 'Instagram refused the photo because of its format. It accepts JPEG.' },
  2207009: rejected('file_shape'),
  2207020: expired,
  2207023: rejected('file_kind'),
  2207026: rejected('file_format'),
  2207028: { ...rejected('item_count'), message: 'Instagram accepts 2 to 10 items in a carousel.' },
  2207032: notPrepared,
  2207052: unreachable,
  2207053: notPrepared,
  2207057: rejected('video_cover'),
  2207077: unreachable,
  2207082: notPrepared,
}

export const classify = classifyGraph('Instagram', {
  subcodes: {
    ...fileErrors,
    33: { kind: 'gone', ...because('not_found') },
    // The code is the same whether the container was published or never existed. Only the container's state can tell.
    2207006: { kind: 'unknown', message: 'Instagram would not publish the prepared post.' },
    2207008: { kind: 'unknown', message: 'Instagram would not publish the prepared post.' },
    2207010: {
      ...rejected('caption_limits'),
      message: 'Instagram accepts at most 2,200 characters, 30 hashtags and 20 mentions in a caption.',
    },
    2207018: {
      ...rejected('refused'),
      message:
        'Instagram does not know one of the collaborators. It wants their user names as they are in the address of the profile.',
    },
    2207027: { kind: 'unavailable', ...because('preparing'), waitsMs: checkWaitsMs },
    2207040: rejected('too_many_tagged'),
    2207042: {
      kind: 'limited',
      ...because('day_limit'),
    },
    2207050: rejected('restricted'),
    2207051: { kind: 'limited', ...because('restricted_for_a_while') },
  },
  codes: {
    9: { kind: 'limited', ...because('day_limit') },
  },
})

/** The reason why a container cannot be published. A new container may work; unless the file was not fetched, a person decides whether to try. */
export function refusedContainer(state: 'ERROR' | 'EXPIRED', status: string): PlatformError {
  const subcode = state === 'EXPIRED' ? '2207020' : (/\b2207\d{3}\b/.exec(status)?.[0] ?? null)
  return new PlatformError({ ...(fileErrors[Number(subcode)] ?? notPrepared), platformCode: subcode ?? state })
}
