import type { CarillonError } from '@carillon/sdk'
import { CommandError, UsageError } from './cli-error.ts'
import { exitCodes, type ExitCode } from './exit-codes.ts'
import { cleanText } from './output/clean-text.ts'

type Failure = {
  exitCode: ExitCode
  /** For people. */
  lines: string[]
  code: string
  message: string
  action?: string
  details?: CarillonError['details']
  docUrl?: string | null
  traceId?: string | null
}

const nextByCode: Readonly<Record<string, string>> = {
  api_key_invalid: 'Sign in again with a valid API key: carillon login',
  access_token_invalid: 'Sign in again: carillon login',
  api_key_missing: 'Sign in first: carillon login',
  scope_missing: 'Use an API key with this scope. Keys are made under Integrations → API keys.',
  connection_unknown: 'carillon accounts list shows the accounts.',
  connection_not_found: 'carillon accounts list shows the accounts.',
  post_not_found: 'carillon post list shows the posts.',
  not_scheduled: 'carillon post show ID says what became of it.',
  nothing_to_retry: 'carillon post show ID says what became of it.',
  approval_required: 'Submit it instead: --submit',
  idempotency_key_reused: 'Use this key only to repeat the same command; leave --idempotency-key away for another post.',
  connection_failed: 'Is the address right, and is there a network? carillon whoami shows the address.',
}

/** What went wrong, for people and for programs, and the exit code. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof UsageError)
    return { exitCode: exitCodes.usage, lines: [error.message], code: 'usage', message: error.message }
  if (error instanceof CommandError)
    return { exitCode: error.exitCode, lines: [error.message], code: error.code, message: error.message }
  if (isCarillonError(error)) return describeRefusal(error)
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    exitCode: exitCodes.bug,
    lines: [`This is an error in Carillon; please report it. ${message}`],
    code: 'internal_error',
    message,
  }
}

function describeRefusal(error: CarillonError): Failure {
  const { code, action, details, docUrl, traceId } = error
  const message = cleanText(error.message)
  const next = nextByCode[code]
  return {
    exitCode: isAnswered(error) ? exitCodes.refused : exitCodes.unreachable,
    lines: [
      `${message} (${cleanText(code)})`,
      ...details.map(({ path, message: text }) => `  ${cleanText(path)}: ${cleanText(text)}`),
      ...(next === undefined ? [] : [next]),
      ...(docUrl === null ? [] : [`More: ${cleanText(docUrl)}`]),
    ],
    code,
    message,
    action,
    details,
    docUrl,
    traceId,
  }
}

/** By its name, because the SDK is loaded only by commands that call the API. */
export function isCarillonError(error: unknown): error is CarillonError {
  return error instanceof Error && error.name === 'CarillonError'
}

/** Whether the answer tells that the request was not carried out. */
export function isAnswered({ status, code }: CarillonError): boolean {
  return status > 0 && status < 500 && code !== 'idempotency_in_flight'
}
