import type { PlatformError } from '@carillon/connectors'
import { channelErrors, type ChannelError, type ChannelErrorCode } from '@carillon/contract'

/** The error a channel shows: our code, action and sentence, or the platform's own words where it gave any. */
export function channelError(code: ChannelErrorCode, cause?: PlatformError | null): ChannelError {
  const { action, retryable, message } = channelErrors[code]
  return { code, message: cause?.message || message, action, retryable, platformCode: cause?.platformCode ?? null }
}
