import { converse, type Conversation, type TransportReply } from '@carillon/connectors/kit'
import { Agent, WebSocket, type buildConnector } from 'undici'
import { EgressError } from './egress-error.ts'

type Talk = {
  url: URL
  headers: Record<string, string>
  conversation: Conversation
  timeoutMs: number
  beforeWrite: (() => void) | undefined
}

/** As much as a connector reads of any other answer. */
const bytesMax = 1_000_000
/** For the other side to say that it closes too. One that does not would keep the socket. */
const closeMsMax = 1000

/** One conversation over a WebSocket, on a socket of its own that was checked like those of requests. */
export async function converseGuarded(
  connect: buildConnector.connector,
  { url, headers, conversation, timeoutMs, beforeWrite }: Talk,
): Promise<TransportReply> {
  let failure: Error | null = null
  let destroy: (() => void) | null = null
  const agent = new Agent({
    connect(options, callback) {
      connect(options, (...result) => {
        const [error, socket] = result
        failure = error
        if (socket) destroy = () => socket.destroy()
        callback(...result)
      })
    },
    allowH2: false,
    webSocket: { maxPayloadSize: bytesMax },
  })
  try {
    const said = await converse({ conversation, timeoutMs, beforeWrite, bytesMax }, ({ opened, heard, ended }) => {
      const socket = new WebSocket(url, { dispatcher: agent, headers })
      socket.addEventListener('open', opened)
      socket.addEventListener('message', ({ data }) => heard(typeof data === 'string' ? data : null))
      // A refused opening has no reason here: the answer to it is not told.
      const broke = () => new EgressError('network', 'The WebSocket was refused, or it was closed.', { sent: true })
      socket.addEventListener('error', () => ended(failure ?? broke()))
      socket.addEventListener('close', () => ended(failure ?? broke()))
      return socket
    })
    return { status: 200, headers: {}, text: async (max) => withinBytes(said, max) }
  } finally {
    setTimeout(() => {
      destroy?.()
      void agent.destroy()
    }, closeMsMax).unref()
  }
}

function withinBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) > max) throw new EgressError('too_large', `The answer is larger than ${max} bytes.`, { sent: true })
  return text
}
