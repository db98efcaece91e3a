/** How the model answers the next call, instead of with a generated caption or list of words. */
export type ScriptedAnswer =
  /** The exact message of the assistant. It need not be valid JSON. */
  | { say: string; finishReason?: string }
  | { refuse: string }
  | { status: number; retryAfterSeconds?: number; message?: string }
  /** Waits, then answers as usual. */
  | { delayMs: number }
  /** Closes the connection without an answer. */
  | { drop: true }
  /** Makes every text at least this long. */
  | { length: number }

const kinds = ['say', 'refuse', 'status', 'delayMs', 'drop', 'length']

export function readScriptedAnswers(value: unknown): ScriptedAnswer[] {
  if (!Array.isArray(value) || !value.every(isScriptedAnswer))
    throw new Error(`a list of turns is expected: objects with one of ${kinds.join(', ')}`)
  return value
}

function isScriptedAnswer(value: unknown): value is ScriptedAnswer {
  return typeof value === 'object' && value !== null && kinds.some((kind) => kind in value)
}
