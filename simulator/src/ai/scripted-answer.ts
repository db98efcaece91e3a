/** How the next call is answered, when not by a plain caption or a list of words. */
export type Turn =
  /** The assistant's message, word for word: JSON, or something that is none. */
  | { say: string; finishReason?: string }
  | { refuse: string }
  | { status: number; retryAfterSeconds?: number; message?: string }
  /** Waits, then answers as it would have. */
  | { delayMs: number }
  /** Closes the connection without a word. */
  | { drop: true }
  /** Every text as long as this. */
  | { length: number }

const kinds = ['say', 'refuse', 'status', 'delayMs', 'drop', 'length']

export function readTurns(value: unknown): Turn[] {
  if (!Array.isArray(value) || !value.every(isTurn))
    throw new Error(`a list of turns is expected: objects with one of ${kinds.join(', ')}`)
  return value
}

function isTurn(value: unknown): value is Turn {
  return typeof value === 'object' && value !== null && kinds.some((kind) => kind in value)
}
