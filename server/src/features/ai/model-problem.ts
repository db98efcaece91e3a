import { APICallError, RetryError } from 'ai'
import { problem, type Problem } from '../../infra/problem/problem.ts'

const retryAfterMaxSeconds = 3600

/**
 * The problem for a model that gave no answer. The SDK's errors contain the whole request, and providers repeat keys and texts in their
 * messages. So neither is passed on: the log gets only the kind of failure.
 */
export function modelProblem(error: unknown, signal: AbortSignal): Problem {
  if (signal.aborted)
    return problem('ai_unavailable', {
      message: 'The AI model took too long to answer; try again.',
      cause: new Error('the AI provider did not answer in time'),
    })
  const last = RetryError.isInstance(error) ? error.lastError : error
  const status = APICallError.isInstance(last) ? last.statusCode : undefined
  if (status === 429) {
    const seconds = APICallError.isInstance(last) ? Number(last.responseHeaders?.['retry-after']) : Number.NaN
    return problem('ai_unavailable', {
      message: 'The AI model is busy; try again shortly.',
      ...(seconds >= 1 && { retryAfterSeconds: Math.min(Math.ceil(seconds), retryAfterMaxSeconds) }),
      cause: new Error('the AI provider answered 429'),
    })
  }
  const kind = last instanceof Error ? last.name : typeof last
  const cause = new Error(
    status === undefined ? `the AI provider gave no answer (${kind})` : `the AI provider answered ${status}`,
  )
  return problem('ai_unavailable', { cause })
}
