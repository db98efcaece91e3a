import { json, Refusal, type Reply } from '../../http/reply.ts'

type Detail = Readonly<Record<string, unknown>>

const typeUrl = (name: string) => `type.googleapis.com/${name}`
const consumer = 'projects/123456789012'

/** The statuses of google.rpc.Code, and the sentences that Google's APIs answer with (cloud.google.com/apis/design/errors). */
const known: Record<number, [status: string, message: string]> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: [
    'UNAUTHENTICATED',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
  ],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  404: ['NOT_FOUND', 'Requested entity was not found.'],
  429: ['RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  500: ['INTERNAL', 'Internal error encountered.'],
  503: ['UNAVAILABLE', 'The service is currently unavailable.'],
}

/** google.rpc.Status, as JSON. */
function envelope(code: number, details: readonly Detail[] = [], message?: string): Reply {
  const [status, said] = known[code] ?? ['UNKNOWN', 'Unknown Error.']
  return json(code, { error: { code, message: message ?? said, status, ...(details.length > 0 && { details }) } })
}

const errorInfo = (reason: string, metadata: Readonly<Record<string, string>>): Detail => ({
  '@type': typeUrl('google.rpc.ErrorInfo'),
  reason,
  domain: 'googleapis.com',
  metadata,
})

export function failure(status: number, retryAfterSeconds?: number): Reply {
  if (status === 401) return envelope(401, [errorInfo('ACCESS_TOKEN_EXPIRED', { service: 'mybusiness.googleapis.com' })])
  if (status === 429) return overQuota('300', retryAfterSeconds)
  return envelope(status)
}

/** A project that Google has not approved has a quota of 0, so the first call is one too many. */
export function overQuota(limit: string, retryAfterSeconds?: number): Reply {
  const metadata = {
    service: 'mybusiness.googleapis.com',
    consumer,
    quota_metric: 'mybusiness.googleapis.com/default_requests',
    quota_limit: 'defaultPerMinutePerProject',
    quota_limit_value: limit,
  }
  const message = `Quota exceeded for quota metric 'Requests' and limit 'Requests per minute' of service 'mybusiness.googleapis.com' for consumer 'project_number:123456789012'.`
  const wait = { '@type': typeUrl('google.rpc.RetryInfo'), retryDelay: `${retryAfterSeconds ?? 0}s` }
  return envelope(429, [errorInfo('RATE_LIMIT_EXCEEDED', metadata), ...(retryAfterSeconds === undefined ? [] : [wait])], message)
}

export const denied = () => new Refusal(envelope(403))
export const missing = () => new Refusal(envelope(404))

export const scopeMissing = () =>
  new Refusal(
    envelope(
      403,
      [errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT', { service: 'mybusiness.googleapis.com' })],
      'Request had insufficient authentication scopes.',
    ),
  )

/** Approved projects, too, report that the service of the posts cannot be used (postiz-app issue 1692). */
export const serviceDisabled = () =>
  new Refusal(
    envelope(
      403,
      [errorInfo('SERVICE_DISABLED', { service: 'mybusiness.googleapis.com', consumer })],
      'Google My Business API has not been used in project 123456789012 before or it is disabled.',
    ),
  )

/** What the API itself checks (spotonlive/php-google-my-business issue 26). Of the numbers, only 2 was seen by others. */
export function invalidPost(field: string, message: string, code = 2): Refusal {
  const details = [{ '@type': typeUrl('google.mybusiness.v4.ValidationError'), errorDetails: [{ code, field, message }] }]
  return new Refusal(envelope(400, details))
}

/** What the layer in front of it checks (google-api-php-client-services issue 6637). */
export function badRequest(field: string, description: string, message?: string): Refusal {
  const details = [{ '@type': typeUrl('google.rpc.BadRequest'), fieldViolations: [{ field, description }] }]
  return new Refusal(envelope(400, details, message))
}
