import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'
import { redactSecrets } from './redact-secrets.ts'

/**
 * The log of a process: one JSON object per line. Secrets are hidden wherever they are in a line. pino's own `redact` looks only at the paths
 * that it is given, one level deep, and not into the messages of errors.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    formatters: { log: (line: Record<string, unknown>) => redactSecrets(line) as Record<string, unknown> },
    serializers: { err: (error: unknown) => redactSecrets(error instanceof Error ? describeError(error) : error) },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** A plain object, which can be redacted like the rest of the line. */
function describeError(error: Error): Record<string, unknown> {
  return { ...stdSerializers.err(error) }
}
