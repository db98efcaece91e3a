import type { PlatformError } from '@carillon/connectors'
import { channelErrors, failureReasons, type ChannelError, type ChannelErrorCode, type FailureReason } from '@carillon/contract'

/** The error a channel shows: our code, action and sentence, or why the platform refused it, with the platform's own words if it gave any. */
export function channelError(code: ChannelErrorCode, cause?: PlatformError | null): ChannelError {
  const { action, retryable, message } = channelErrors[code]
  return {
    code,
    message: cause?.message || message,
    action,
    retryable,
    platformCode: cause?.platformCode ?? null,
    ...(cause?.reason && { reason: cause.reason }),
    ...(cause?.platformMessage && { platformMessage: cause.platformMessage }),
  }
}

/** An error that the platform did not name. It has a reason of ours. */
export function channelErrorBecause(code: ChannelErrorCode, reason: FailureReason): ChannelError {
  return { ...channelError(code), message: failureReasons[reason].replaceAll('{platform}', 'The platform'), reason }
}

/** Of a post of a thread that nothing can be an answer to. */
export const threadStopped = channelErrorBecause('not_published', 'thread_stopped')
