const secretName = /token|secret|password|passphrase|authorization|cookie|api[-_]?key|credential/i
const depthMax = 6
const hidden = '[secret]'

/** Forms in which secrets appear inside of texts: headers, queries of addresses, passwords and tokens of bots in addresses, and our own keys. */
const patterns: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic|DPoP|OAuth)\s+[\w.~+/=-]{8,}/gi, `$1 ${hidden}`],
  [/\?[\w.%~-]{1,100}=[^\s"'<>]*/g, `?${hidden}`],
  [/(:\/\/[^\s:/@]+:)[^\s/@]+@/g, `$1${hidden}@`],
  [/(\/bot)\d{1,20}:[\w-]{20,}/g, `$1${hidden}`],
  [/(_token|_secret|_verifier|password)("?[=:] ?"?)[^\s"'&,}]+/gi, `$1$2${hidden}`],
]

/** A text that a line contains on purpose although it is a secret: the reader of the log is to use it. */
export class Disclosed {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toJSON(): string {
    return this.#text
  }
}

/** A text without the secrets that it quotes, for example in the message of an error. */
function redactText(text: string): string {
  return patterns.reduce((redacted, [pattern, replacement]) => redacted.replaceAll(pattern, replacement), text)
}

/** A copy for the log in which values with the name of a secret are hidden, at any depth. Errors are left to the serializer of errors. */
export function redactSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value
  if (value instanceof Disclosed) return value
  if (depth >= depthMax || value instanceof Uint8Array) return '[not shown]'
  if (Array.isArray(value)) return value.map((each) => redactSecrets(each, depth + 1))
  const entries = Object.entries(value).map(([name, each]) => [name, redactEntry(name, each, depth)])
  return Object.fromEntries(entries)
}

function redactEntry(name: string, value: unknown, depth: number): unknown {
  const isSecret = secretName.test(name) && value !== null && value !== undefined && typeof value !== 'boolean'
  return isSecret ? hidden : redactSecrets(value, depth + 1)
}
