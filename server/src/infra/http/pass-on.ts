import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { discardBody } from './create-body-watch.ts'

/** The body through a stream of its own: when its reader stops early, only that stream ends, not the client's, who can still be answered. */
export function passOn(raw: IncomingMessage): PassThrough {
  const body = new PassThrough()
  // An error ends what reads the body, which reports it. Without a listener, it would end this process.
  body.on('error', () => {})
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('the client closed the connection'))
  })
  body.once('close', () => {
    raw.unpipe(body)
    discardBody(raw)
  })
  return raw.pipe(body)
}
