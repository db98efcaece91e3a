import { json, Refusal, type Reply } from '../../http/reply.ts'
import { randomToken } from '../../state/ids.ts'

export type GraphError = {
  message: string
  code: number
  type?: string
  subcode?: number
  title?: string
  detail?: string
  transient?: boolean
}

export function graphError(status: number, { message, code, type, subcode, title, detail, transient }: GraphError): Reply {
  return json(status, {
    error: {
      message,
      type: type ?? 'OAuthException',
      code,
      ...(subcode === undefined ? {} : { error_subcode: subcode }),
      ...(transient === undefined ? {} : { is_transient: transient }),
      ...(title === undefined ? {} : { error_user_title: title, error_user_msg: detail ?? title }),
      fbtrace_id: `A${randomToken(16)}`,
    },
  })
}

export function badParameter(message: string, detail?: string): Refusal {
  return new Refusal(graphError(400, { message, code: 100, title: 'Invalid parameter', detail: detail ?? message }))
}

export function badToken(subcode: number, message: string): Refusal {
  return new Refusal(graphError(400, { message, code: 190, subcode }))
}

export const tokenMessages = {
  unknown: 'Invalid OAuth access token - Cannot parse access token',
  expired: 'Error validating access token: Session has expired.',
  revoked: 'Error validating access token: The user has not authorized application.',
} as const

/** Graph answers most errors with status 400 and distinguishes them by code. */
function failure(status: number): Reply {
  if (status === 401) return graphError(401, { message: tokenMessages.unknown, code: 190 })
  if (status === 403) return graphError(403, { message: 'Application does not have permission for this action', code: 10 })
  if (status === 404) return graphError(404, { message: 'Unknown path components', code: 2500 })
  if (status === 429) return graphError(429, { message: 'Application request limit reached', code: 4, transient: true })
  if (status >= 500)
    return graphError(status, {
      message: 'An unexpected error has occurred. Please retry your request later.',
      code: 2,
      transient: true,
    })
  return graphError(status, { message: 'Invalid parameter', code: 100 })
}

/** The limits for businesses come with status 400 (github.com/trypostit/trypost pull request 281). */
const businessThrottles: Readonly<Record<string, GraphError>> = {
  instagram: { message: 'There have been too many calls to this Instagram account.', code: 80_002 },
  pages: { message: 'There have been too many calls to this Page account. Wait a bit and try again.', code: 80_001 },
}

/** Graph gives the time to wait only in minutes, in JSON inside a header. */
export function failureWithUsage(status: number, type: string, retryAfterSeconds?: number): Reply {
  if (status !== 429) return failure(status)
  const throttle = businessThrottles[type]
  const reply = throttle ? graphError(400, throttle) : failure(status)
  const usage = { call_count: 100, total_cputime: 10, total_time: 10 }
  reply.headers['x-app-usage'] = JSON.stringify(usage)
  if (retryAfterSeconds !== undefined) {
    const use = { type, ...usage, estimated_time_to_regain_access: Math.ceil(retryAfterSeconds / 60) }
    reply.headers['x-business-use-case-usage'] = JSON.stringify({ app: [use] })
  }
  return reply
}

export function usageHeaders({ max, remaining }: { max: number; remaining: number }) {
  const percent = Math.round(((max - remaining) / max) * 100)
  return { 'x-app-usage': JSON.stringify({ call_count: percent, total_cputime: 0, total_time: 0 }) }
}
