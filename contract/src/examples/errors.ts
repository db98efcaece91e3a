import { requestErrors, type ErrorCode } from '../errors.ts'
import type { JsonObject } from '../openapi/json.ts'

type Detail = { path: string; message: string }

/** Example details for the codes whose response names the invalid fields. */
const details: Partial<Record<ErrorCode, readonly Detail[]>> = {
  request_invalid: [{ path: 'scheduleAt', message: 'This field is not known here.' }],
  post_invalid: [{ path: 'connections[1].text', message: 'X takes at most 280 characters; this text has 311.' }],
  connection_unknown: [{ path: 'connections[0]', message: 'The workspace has no connection "x-thetowr".' }],
  connection_needs_reconnect: [
    { path: 'connections[1]', message: 'x-thetower must be connected again: its permission has ended.' },
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
  const docUrl = `https://carillon.dev/docs/errors/${code}`
  const traceId = '019331c2-6a77-7e0a-9c55-0d2b8f4e6a91'
  return {
    success: false,
    error: { code, message, action, retryable, ...(codeDetails && { details: codeDetails }), docUrl, traceId },
  }
}

function listCodes(): ErrorCode[] {
  const all: ErrorCode[] = []
  let code: ErrorCode
  for (code in requestErrors) all.push(code)
  return all
}
