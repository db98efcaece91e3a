import { PlatformError } from '../kit/platform-error.ts'
import type { Refusal } from '../kit/refusal.ts'
import { checkWaitsMs } from '../meta/check-waits-ms.ts'
import { classifyGraph } from '../meta/classify-graph.ts'

/** The code and subcode when a container was already published or never existed. */
export const notPublishable = '24/2207006'

const rejected = (message: string): Refusal => ({ kind: 'rejected', message })
const notPrepared = rejected('Instagram could not prepare the post. Retry to prepare it again.')
const unreachable: Refusal = {
  ...rejected('Instagram could not fetch the file from its address. Retry once it can be reached.'),
  isTemporary: true,
}
const expired = rejected(
  'The prepared post was not published within a day, so Instagram discarded it. Retry to prepare it again.',
)

/** These subcodes occur in the answer to a call and in the state of a container. */
const fileErrors: Record<number, Refusal> = {
  2207001: notPrepared,
  2207003: { ...rejected('Instagram took too long to fetch the file. Retry to prepare the post again.'), isTemporary: true },
  2207004: rejected('Instagram refused the photo because it is too large.'),
  2207005: rejected('Instagram refused the photo because of its format. It accepts JPEG.'),
  2207009: rejected('Instagram refused the photo because of its shape (width to height).'),
  2207020: expired,
  2207023: rejected('Instagram does not know this kind of media.'),
  2207026: rejected('Instagram refused the video because of its format.'),
  2207028: rejected('Instagram accepts 2 to 10 items in a carousel.'),
  2207032: notPrepared,
  2207052: unreachable,
  2207053: notPrepared,
  2207057: rejected('Instagram refused the moment chosen for the cover of the video.'),
  2207077: unreachable,
  2207082: notPrepared,
}

export const classify = classifyGraph('Instagram', {
  subcodes: {
    ...fileErrors,
    33: { kind: 'gone', message: 'Instagram has no such account or post.' },
    // The code is the same whether the container was published or never existed. Only the container's state can tell.
    2207006: { kind: 'unknown', message: 'Instagram would not publish the prepared post.' },
    2207008: { kind: 'unknown', message: 'Instagram would not publish the prepared post.' },
    2207010: rejected('Instagram accepts at most 2,200 characters, 30 hashtags and 20 mentions in a caption.'),
    2207027: { kind: 'unavailable', message: 'Instagram is still preparing the post.', waitsMs: checkWaitsMs },
    2207040: rejected('Instagram refused the post because too many people are tagged in it.'),
    2207042: {
      kind: 'limited',
      message: 'Instagram accepts no more posts from this account today. The post will be sent later.',
    },
    2207050: rejected('Instagram has restricted this account. See the Instagram app for what to do.'),
    2207051: { kind: 'limited', message: 'Instagram has restricted this account for a while because of its activity.' },
  },
  codes: {
    9: { kind: 'limited', message: 'Instagram accepts no more posts from this account today. The post will be sent later.' },
  },
})

/** The reason why a container cannot be published. A new container may work; unless the file was not fetched, a person decides whether to try. */
export function refusedContainer(state: 'ERROR' | 'EXPIRED', status: string): PlatformError {
  const subcode = state === 'EXPIRED' ? '2207020' : (/\b2207\d{3}\b/.exec(status)?.[0] ?? null)
  return new PlatformError({ ...(fileErrors[Number(subcode)] ?? notPrepared), platformCode: subcode ?? state })
}
