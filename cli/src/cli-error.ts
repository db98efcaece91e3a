import type { ExitCode } from './exit-codes.ts'

/** The command line is wrong. The message says what to write instead. */
export class UsageError extends Error {}

/** A command that failed with a sentence of its own: what happened, and what to do. */
export class CommandError extends Error {
  readonly code: string
  readonly exitCode: ExitCode

  constructor(message: string, { code, exitCode, cause }: { code: string; exitCode: ExitCode; cause?: unknown }) {
    super(message, { cause })
    this.code = code
    this.exitCode = exitCode
  }
}
