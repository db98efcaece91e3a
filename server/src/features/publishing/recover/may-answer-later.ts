import { PlatformError, type PlatformErrorKind } from '@carillon/connectors'

const passing: ReadonlySet<PlatformErrorKind> = new Set<PlatformErrorKind>(['unavailable', 'unknown', 'limited'])

/** Whether a question to a platform failed for a reason that passes, so that it can be asked again. */
export function mayAnswerLater(error: unknown): boolean {
  return error instanceof PlatformError && passing.has(error.kind)
}
