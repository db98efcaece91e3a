import type { CallOptions } from './operation.ts'

const callOptions = ['workspaceId', 'idempotencyKey', 'ifUpdatedAt', 'autosave', 'signal', 'timeoutMs']

/**
 * The options of a call as they were given. An option that does not exist and an argument that has no place are refused before anything is
 * sent: the one that gets lost may be the key against duplicates, and JavaScript would not notice.
 */
export function checkOptions(options: CallOptions | undefined, more: readonly unknown[]): CallOptions | undefined {
  if (more.length > 0)
    throw new TypeError('Too many arguments: the options of a call come directly after its path, body and query.')
  if (options !== undefined) refuseUnknown(options, { what: 'The options of a call', known: callOptions })
  return options
}

export function refuseUnknown(given: object, { what, known }: { what: string; known: readonly string[] }): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new TypeError(`${what} have no ${unknown.map((name) => `"${name}"`).join(', ')}; there are ${known.join(', ')}.`)
}
