import type { FailureReason } from '@carillon/contract'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const name = 'Tumblr'
export const because = explainFor(name)

/** Single errors are objects, or only a sentence (tumblr/docs issue 132). They stand beside `response` or in it. */
const Errors = Type.Array(
  Type.Union([
    Type.String(),
    Type.Object({
      code: Type.Optional(Type.Number()),
      title: Type.Optional(Type.String()),
      detail: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
    }),
  ]),
)
const Body = Type.Object({ errors: Errors })
const NestedBody = Type.Object({ response: Body })
const OAuthError = Type.Object({ error: Type.String() })

const rejected = (reason: FailureReason): Refusal => ({ kind: 'rejected', ...because(reason) })

/** Days end at midnight of a time zone that Tumblr does not name. Other things than posts have limits of the same day. */
const dayUsed: Refusal = { kind: 'limited', ...because('day_limit'), waitsMs: [900_000, 3_600_000] }

const table: Partial<Record<string, Refusal>> = {
  '400.8005': rejected('file_format'),
  '403.8004': dayUsed,
  // One video of an account is converted at a time.
  '403.8010': { kind: 'unavailable', ...because('file_processing'), waitsMs: [15_000, 30_000, 60_000, 120_000] },
  '403.8011': dayUsed,
  '403.8023': dayUsed,
  // Named for uploads that failed. There is no post then.
  '500.8006': { ...rejected('file_unprocessed'), isTemporary: true },
  '500.8009': { ...rejected('file_unprocessed'), isTemporary: true },
}

/** Of the token endpoint. */
const oauthTable: Partial<Record<string, Refusal>> = {
  invalid_grant: { kind: 'auth', ...because('reconnect') },
  invalid_client: { kind: 'auth', ...because('app_refused') },
  unauthorized_client: { kind: 'auth', ...because('app_refused') },
}

export const classify: Classify = ({ status, headers, body }, nowMs) => {
  const reply = { status, headers: withWait(headers) }
  if (Value.Check(OAuthError, body)) {
    const known = Object.hasOwn(oauthTable, body.error) ? oauthTable[body.error] : undefined
    return refuse(known ?? refusalByStatus(name, status), body.error, reply, nowMs)
  }
  const { code, said } = readErrors(body)
  const key = code === null ? String(status) : `${status}.${code}`
  const known = table[key]
  return refuse(known ? { ...known, platformMessage: said } : refusalByStatus(name, status, said), key, reply, nowMs)
}

function readErrors(body: unknown): { code: number | null; said: string | null } {
  const errors = Value.Check(Body, body) ? body.errors : Value.Check(NestedBody, body) ? body.response.errors : []
  const objects = errors.filter((error) => typeof error === 'object')
  // The code 0 stands for none.
  const code = objects.find((error) => error.code)?.code ?? null
  const sentences = errors.map((error) => (typeof error === 'string' ? error : (error.detail ?? error.message ?? error.title)))
  return { code, said: sentences.find(Boolean) ?? null }
}

/** The seconds until the hour or the day of the app ends, of those that are used up. */
function withWait(headers: Record<string, string>): Record<string, string> {
  const used = ['perday', 'perhour'].find((period) => headers[`x-ratelimit-${period}-remaining`] === '0')
  const reset = used && headers[`x-ratelimit-${used}-reset`]
  return reset ? { 'retry-after': reset, ...headers } : headers
}

export function tooLong(): PlatformError {
  return new PlatformError({ kind: 'rejected', platformCode: null, ...because('text_too_long') })
}
