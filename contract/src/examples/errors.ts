import { requestErrors, type ErrorCode } from '../errors.ts'
import type { JsonObject } from '../openapi/json.ts'

type Detail = { path: string; message: string }

/** Codes whose answer names the fields at fault. */
const details: Partial<Record<ErrorCode, readonly Detail[]>> = {
  request_invalid: [{ path: 'scheduleAt', message: 'This field is not known here.' }],
  post_invalid: [{ path: 'connections[1].text', message: 'X takes at most 280 characters; this text has 311.' }],
  connection_unknown: [{ path: 'connections[0]', message: 'The workspace has no connection "x-thetowr".' }],
  connection_needs_reconnect: [
    { path: 'connections[1]', message: 'x-thetower must be connected again: its permission has ended.' },
  ],
}

/** An example answer for every code, by code. */
export function errorExamples(): JsonObject {
  return Object.fromEntries(codes().map((code) => [code, { summary: requestErrors[code].message, value: errorAnswer(code) }]))
}

function errorAnswer(code: ErrorCode): JsonObject {
  const { message, action, retryable } = requestErrors[code]
  const found = details[code]
  const docUrl = `https://carillon.dev/docs/errors/${code}`
  const traceId = '019331c2-6a77-7e0a-9c55-0d2b8f4e6a91'
  return { success: false, error: { code, message, action, retryable, ...(found && { details: found }), docUrl, traceId } }
}

function codes(): ErrorCode[] {
  const all: ErrorCode[] = []
  let code: ErrorCode
  for (code in requestErrors) all.push(code)
  return all
}
