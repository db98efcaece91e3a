import type { FailureReason } from '@carillon/contract'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Call, Classify, Http } from '../kit/http.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'
import { FormErrors } from './wire.ts'

const name = 'Reddit'
export const because = explainFor(name)

/** A rule of a subreddit that was broken has a reason and an explanation. */
const Body = Type.Object({
  reason: Type.Optional(Type.String()),
  explanation: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})

const rejected = (reason: FailureReason): Refusal => ({ kind: 'rejected', ...because(reason) })
const noAccess: Refusal = {
  ...rejected('refused'),
  message: 'Reddit does not let this account post in the subreddit, or the subreddit does not exist.',
}
const wrongKind: Refusal = { ...rejected('refused'), message: 'The subreddit does not take posts of this kind.' }
const wantsFlair: Refusal = {
  ...rejected('refused'),
  message: 'The subreddit wants a flair. Choose one in the settings of the post.',
}
const noSuchPost: Refusal = { kind: 'gone', ...because('not_found') }
const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }

/** Codes of forms, of r2/r2/lib/errors.py (2017-10-16) and of recorded answers, and reasons of rules. */
const table: Partial<Record<string, Refusal>> = {
  ALREADY_SUB: { ...rejected('duplicate'), isDuplicate: true },
  BAD_URL: { ...rejected('refused'), message: 'Reddit does not accept the address of the link.' },
  DOMAIN_BANNED: { ...rejected('spam'), message: 'Reddit does not accept links to this site.' },
  DELETED_COMMENT: noSuchPost,
  DELETED_LINK: noSuchPost,
  NO_THING_ID: noSuchPost,
  GALLERIES_DISABLED: wrongKind,
  NO_LINKS: wrongKind,
  NO_SELFS: wrongKind,
  NO_IMAGES: wrongKind,
  INVALID_OPTION: rejected('refused'),
  NO_TEXT: rejected('text_refused'),
  TOO_LONG: rejected('text_too_long'),
  IN_TIMEOUT: { kind: 'limited', ...because('restricted_for_a_while'), waitsMs: [3_600_000] },
  QUOTA_FILLED: { kind: 'limited', ...because('slow_down'), waitsMs: [3_600_000] },
  RATELIMIT: { kind: 'limited', ...because('slow_down'), waitsMs: [600_000] },
  SUBREDDIT_RATELIMIT: { kind: 'limited', ...because('slow_down'), waitsMs: [600_000] },
  SUBREDDIT_NOEXIST: noAccess,
  SUBREDDIT_NOTALLOWED: noAccess,
  SUBREDDIT_NO_ACCESS: noAccess,
  SUBREDDIT_REQUIRED: noAccess,
  THREAD_LOCKED: rejected('comments_off'),
  TOO_OLD: rejected('comments_off'),
  USER_REQUIRED: reconnect,
  VERIFIED_USER_REQUIRED: {
    ...rejected('restricted'),
    message: 'The e-mail address of this Reddit account must be confirmed first.',
  },
  SUBMIT_VALIDATION_FLAIR_REQUIRED: wantsFlair,
  // Reasons of subreddits.
  private: noAccess,
  banned: noAccess,
  quarantined: noAccess,
  gold_only: noAccess,
}

export const classify: Classify = (reply, nowMs) => {
  if (Value.Check(FormErrors, reply.body)) return classifyForm(reply, reply.body, nowMs)
  const body = Value.Check(Body, reply.body) ? reply.body : null
  const code = body?.reason ?? null
  const said = body?.explanation?.trim() ?? null
  const known = code !== null && Object.hasOwn(table, code) ? table[code] : undefined
  // Without a reason, a permission that was not given, or a filter of Reddit against programs.
  const byStatus: Refusal | undefined = reply.status === 403 ? { kind: 'auth', ...because('permission_missing') } : undefined
  const refusal = known ? { ...known, platformMessage: said } : (byStatus ?? refusalByStatus(name, reply.status, said))
  return refuse(refusal, code ?? String(reply.status), reply, nowMs)
}

type Reply = Parameters<Classify>[0]

/** The first error decides. One that is not in the table is a refusal, in the words of Reddit. */
function classifyForm(reply: Reply, { json }: Static<typeof FormErrors>, nowMs: number): PlatformError {
  const [code = null, said = null] = json.errors[0] ?? []
  const known = code !== null && Object.hasOwn(table, code) ? table[code] : undefined
  const refusal = known ? { ...known, platformMessage: said } : refusalByStatus(name, 400, said)
  const seconds = json.ratelimit ?? readSeconds(said ?? '')
  // The header is about the calls of the app, which are not what is used up.
  const headers: Record<string, string> = seconds === null ? {} : { 'retry-after': String(Math.ceil(seconds)) }
  return refuse(refusal, code, { status: reply.status, headers }, nowMs)
}

const units: Readonly<Record<string, number>> = { milli: 0.001, second: 1, minute: 60, hour: 3600 }

/** The wait is told in a sentence: "Take a break for 9 minutes before trying again." */
function readSeconds(sentence: string): number | null {
  const [, count, unit = ''] = /(\d{1,4}) (milli|second|minute|hour)/.exec(sentence) ?? []
  return count === undefined ? null : (Number(count) + 1) * (units[unit] ?? 1)
}

/** Sends a form, and throws what is wrong with it: Reddit says so with the status of a success. */
export async function postForm<Schema extends TSchema>(http: Http, call: Omit<Call<Schema>, 'method'>): Promise<Static<Schema>> {
  const body: unknown = await http.call({
    ...call,
    method: 'POST',
    query: { raw_json: '1' },
    returns: Type.Union([FormErrors, call.returns]),
  })
  if (Value.Check(FormErrors, body)) throw classify({ status: 200, headers: {}, body }, http.nowMs())
  return body as Static<Schema>
}
