import { requestErrors, type ErrorCode } from '../errors.ts'
import type { JsonObject } from '../openapi/json.ts'
import type { Detail } from '../post.ts'
import { draftPost } from './posts.ts'

/** Example details for the codes whose response names the invalid fields. */
const details: Partial<Record<ErrorCode, readonly Detail[]>> = {
  request_invalid: [{ path: 'scheduleAt', code: 'unknown_field', message: 'This field is not known here.', params: {} }],
  post_invalid: [
    {
      path: 'connections[1].text',
      code: 'text_too_long',
      message: 'X takes at most 280 characters; this text has 311.',
      params: { platform: 'X', limit: 280, actual: 311, unit: 'character' },
    },
  ],
  connection_unknown: [
    {
      path: 'connections[0]',
      code: 'connection_unknown',
      message: 'The workspace has no connection "x-thetowr".',
      params: { connection: 'x-thetowr' },
    },
  ],
  connection_needs_reconnect: [
    {
      path: 'connections[1]',
      code: 'connection_needs_reconnect',
      message: 'x-thetower must be connected again: its permission has ended.',
      params: { connection: 'x-thetower' },
    },
  ],
}

/** An example response for every code, by code. */
export function errorExamples(): JsonObject {
  return Object.fromEntries(
    listCodes().map((code) => [code, { summary: requestErrors[code].message, value: errorResponse(code) }]),
  )
}

function errorResponse(code: ErrorCode): JsonObject {
  const { message, action, retryable } = requestErrors[code]
  const codeDetails = details[code]
  const docUrl = `https://posts.example.org/docs/errors/${code}`
  const traceId = '019331c2-6a77-7e0a-9c55-0d2b8f4e6a91'
  return {
    success: false,
    error: {
      code,
      message,
      action,
      retryable,
      ...(codeDetails && { details: codeDetails }),
      ...(code === 'draft_changed' && { current: draftPost }),
      docUrl,
      traceId,
    },
  }
}

function listCodes(): ErrorCode[] {
  const all: ErrorCode[] = []
  let code: ErrorCode
  for (code in requestErrors) all.push(code)
  return all
}
