import type { Fields } from '../../http/fields.ts'
import { numberOf } from '../../http/fields.ts'
import type { Operation } from '../../state/call-counts.ts'

/** A value that a person can choose for a kind of fault. */
export type FaultField =
  | { type: 'number'; name: string; label: string; unit: string; value: number | ''; min: number; max: number }
  | { type: 'choice'; name: string; label: string; value: string; choices: Readonly<Record<string, string>> }
  | { type: 'flag'; name: string; label: string }

export type FaultKind = {
  name: string
  title: string
  /** What the platform does. */
  text: string
  /** What there is to see in Carillon. */
  effect: string
  fields: readonly FaultField[]
  /** The fault as the control interface takes it. */
  toFault: (form: Fields) => Fields
}

const statuses = {
  400: '400: the request is wrong',
  401: '401: the token is not valid',
  403: '403: not allowed',
  404: '404: not found',
  409: '409: conflict',
  422: '422: the content is refused',
  500: '500: error inside the platform',
  502: '502: bad gateway',
  503: '503: out of service',
}
const commit: FaultField = { type: 'flag', name: 'commit', label: 'but carry the call out first' }

export const faultKinds: readonly FaultKind[] = [
  {
    name: 'status',
    title: 'An error answer',
    text: 'The platform answers with an error in its own words and does not carry the call out.',
    effect: 'A refusal of the content fails the post with the platform’s reason. Errors of the platform are tried again.',
    fields: [{ type: 'choice', name: 'status', label: 'Answer', value: '422', choices: statuses }, commit],
    toFault: ({ status, commit: isCommitted }) => ({ kind: 'status', status, commit: isCommitted !== undefined }),
  },
  {
    name: 'rate_limit',
    title: 'Too many requests',
    text: 'The platform answers 429 and says how long to wait.',
    effect: 'The post waits for that time and is then sent. Other posts of the account wait as well.',
    fields: [{ type: 'number', name: 'seconds', label: 'Wait', unit: 'seconds', value: 30, min: 1, max: 86_400 }],
    toFault: ({ seconds }) => ({ kind: 'status', status: 429, retryAfterSeconds: seconds }),
  },
  {
    name: 'outage',
    title: 'Out of service for a while',
    text: 'Every call is answered with 503 until the time is over. Without a time it lasts until you switch it off.',
    effect: 'Posts wait and are sent when the platform answers again.',
    fields: [{ type: 'number', name: 'minutes', label: 'For', unit: 'minutes', value: 5, min: 1, max: 1440 }],
    toFault({ minutes }) {
      const count = numberOf(minutes)
      return { kind: 'outage', clock: 'real', ...(count !== undefined && { forMs: count * 60_000 }) }
    },
  },
  {
    name: 'drop_before',
    title: 'The connection breaks before the call arrives',
    text: 'The connection is closed and nothing is carried out.',
    effect: 'Carillon cannot know that. It looks for the post first, and sends it again only if it is not there.',
    fields: [],
    toFault: () => ({ kind: 'drop_before' }),
  },
  {
    name: 'drop_after',
    title: 'The answer is lost',
    text: 'The call is carried out, and then the connection is closed without an answer.',
    effect: 'The post is visible, but Carillon does not know it yet. It finds the post and does not publish it twice.',
    fields: [],
    toFault: () => ({ kind: 'drop_after' }),
  },
  {
    name: 'hang',
    title: 'No answer at all',
    text: 'The connection stays open and no answer comes.',
    effect: 'Carillon gives up after its time limit, and then looks for the post as after a lost answer.',
    fields: [commit],
    toFault: ({ commit: isCommitted }) => ({ kind: 'hang', commit: isCommitted !== undefined }),
  },
  {
    name: 'delay',
    title: 'A slow answer',
    text: 'The call is carried out at once, and the answer comes later.',
    effect: 'Up to the time limit of 30 seconds the post is only late. After that it is a lost answer.',
    fields: [{ type: 'number', name: 'seconds', label: 'After', unit: 'seconds', value: 10, min: 1, max: 600 }],
    toFault: ({ seconds }) => ({ kind: 'delay', ms: (numberOf(seconds) ?? 0) * 1000, when: 'after' }),
  },
  {
    name: 'expired_token',
    title: 'The token has expired',
    text: 'The platform answers as it does to an expired token.',
    effect: 'Carillon renews the token. If that does not help, the account needs to be connected again, and its posts wait.',
    fields: [],
    toFault: () => ({ kind: 'expired_token' }),
  },
  {
    name: 'garbage',
    title: 'A web page instead of an answer',
    text: 'Status 200 with an HTML page, as a proxy or a hotel network sends it.',
    effect: 'Carillon does not take it for a success. It looks for the post as after a lost answer.',
    fields: [commit],
    toFault: ({ commit: isCommitted }) => ({ kind: 'garbage', commit: isCommitted !== undefined }),
  },
  {
    name: 'malformed',
    title: 'Broken characters in ids',
    text: 'The right answer, but its ids and addresses contain characters that a database refuses.',
    effect: 'Carillon does not keep such an id. It looks for the post as after a lost answer.',
    fields: [],
    toFault: () => ({ kind: 'malformed' }),
  },
  {
    name: 'slow_body',
    title: 'An answer that trickles in',
    text: 'The right answer, a few bytes at a time.',
    effect: 'Carillon waits for the whole answer up to its time limit.',
    fields: [{ type: 'number', name: 'bytes', label: 'Speed', unit: 'bytes a second', value: 20, min: 1, max: 100_000 }],
    toFault: ({ bytes }) => ({ kind: 'slow_body', bytesPerSecond: bytes }),
  },
  {
    name: 'huge_body',
    title: 'An answer that is far too large',
    text: 'The right answer, followed by white space.',
    effect: 'Carillon stops reading at its limit and does not run out of memory.',
    fields: [{ type: 'number', name: 'megabytes', label: 'Size', unit: 'MB', value: 50, min: 1, max: 2000 }],
    toFault: ({ megabytes }) => ({ kind: 'huge_body', bytes: (numberOf(megabytes) ?? 0) * 1_000_000 }),
  },
]

export const operationLabels: Readonly<Record<Operation | 'any', string>> = {
  submit: 'Publishing: the call that makes a post or comment visible',
  stage: 'Preparing: uploads and containers before publishing',
  find: 'Looking for posts: the list of recent posts',
  check: 'Reading one post or its state',
  account: 'Reading the account',
  token: 'Getting and renewing tokens',
  remove: 'Deleting a post',
  metrics: 'Reading likes and other figures',
  other: 'Everything else',
  any: 'Every call',
}
