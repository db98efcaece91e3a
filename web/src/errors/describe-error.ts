import { CarillonError, type ErrorDetail } from '@carillon/sdk'
import type { TFunction } from 'i18next'
import { AuthError } from '../api/send.ts'
import { nextSteps, type KnownCode, type NextStep } from './next-steps.ts'

export type DescribedError = {
  code: string
  title: string
  sentence: string
  next: readonly NextStep[]
  /** The invalid fields. A form shows them at its fields, a page lists them. */
  details: readonly ErrorDetail[]
  /** The number of the request, for the operator. */
  traceId: string | null
  /** Only after so many seconds can the same be tried again. */
  retryAfterSeconds: number | null
}

/** What a person is told about an error. `t` must have the subject `errors`: `useTranslation('errors')`. */
export function describeError(error: unknown, t: TFunction<'errors'>): DescribedError {
  const { code, message, details, traceId, retryAfterSeconds } = read(error)
  return { ...describeCode(code, message, t), details, traceId, retryAfterSeconds }
}

/** The same for a code alone, such as that of a failed channel. `message` is what the server or the platform said. */
export function describeCode(
  code: string,
  message: string,
  t: TFunction<'errors'>,
): Pick<DescribedError, 'code' | 'title' | 'sentence' | 'next'> {
  const isKnown = Object.hasOwn(nextSteps, code)
  const key = isKnown ? (code as KnownCode) : 'unknown'
  return {
    code,
    title: t(`codes.${key}.title`),
    // A sentence of the server is shown only for a code that this page does not know, or where it quotes a platform.
    sentence: t(`codes.${key}.sentence`, { message }),
    next: isKnown ? nextSteps[code as KnownCode] : ['retry', 'copy'],
  }
}

/** Whether the person must sign in again. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CarillonError && ['session_ended', 'api_key_missing', 'api_key_invalid'].includes(error.code)
}

type ReadError = Pick<DescribedError, 'code' | 'details' | 'traceId' | 'retryAfterSeconds'> & { message: string }

function read(error: unknown): ReadError {
  const nothing = { details: [], traceId: null, retryAfterSeconds: null }
  if (error instanceof CarillonError) {
    const { code, message, details, traceId, retryAfterSeconds } = error
    return { code, message, details, traceId, retryAfterSeconds }
  }
  if (error instanceof AuthError) return { ...nothing, code: error.code, message: error.message }
  if (error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name))
    return { ...nothing, code: 'passkey_cancelled', message: error.message }
  return { ...nothing, code: 'unknown', message: error instanceof Error ? error.message : String(error) }
}
