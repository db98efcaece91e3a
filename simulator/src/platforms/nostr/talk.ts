import { isFields, textOf } from '../../http/fields.ts'
import type { SocketTalk } from '../../platform.ts'

const kinds = ['EVENT', 'REQ', 'COUNT', 'AUTH']

/** A frame larger than this is one that a fault made large. */
const usualLength = 500_000

/** NIP-01 and NIP-42, between messages and calls. The body of a call is the whole message, and that of a reply the list of messages. */
export function createTalk(): SocketTalk & {
  authorOf(connection: string): string | undefined
  admit(connection: string, key: string): void
} {
  const authors = new Map<string, string>()
  return {
    authorOf: (connection) => authors.get(connection),
    admit: (connection, key) => void authors.set(connection, key),
    // Many relays ask who is there without wanting to know.
    greet: (connection) => [JSON.stringify(['AUTH', connection]), JSON.stringify(['NOTICE', 'Welcome to the bells.'])],
    toCall(message) {
      const [kind] = readMessage(message)
      return typeof kind === 'string' && kinds.includes(kind) ? { path: `/ws/${kind}`, body: message } : undefined
    },
    toMessages(message, { status, text }) {
      if (status < 400) return readMessages(text)
      const [kind, first] = readMessage(message)
      const answer: unknown = parse(text)
      const said = isFields(answer) ? textOf(answer['message']) : undefined
      if (said === undefined) return [text]
      if (kind === 'REQ' || kind === 'COUNT') return [JSON.stringify(['CLOSED', first, said])]
      return [JSON.stringify(['OK', isFields(first) ? first['id'] : '', false, said])]
    },
    leave: (connection) => void authors.delete(connection),
  }
}

export function readMessage(text: string): unknown[] {
  const value = parse(text)
  return Array.isArray(value) ? value : []
}

/** What is no list, such as a page of something else, is passed on as it is. */
function readMessages(text: string): string[] {
  const value = parse(text)
  if (!Array.isArray(value)) return [text]
  if (text.length > usualLength) return [text.replace(/^\[/, '').replace(/\]\s*$/, (end) => ' '.repeat(end.length))]
  return value.map((each) => JSON.stringify(each))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
