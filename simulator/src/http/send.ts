import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Reply } from './reply.ts'

export function send(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return
  const { body } = reply
  reply.headers['content-length'] = String(typeof body === 'string' ? Buffer.byteLength(body) : body.length)
  response.writeHead(reply.status, reply.headers)
  response.end(body)
}

const headBytes = 150

/** Sends the body in small chunks, at most ten a second. */
export async function sendSlowly(response: ServerResponse, reply: Reply, bytesPerSecond: number): Promise<void> {
  const body = Buffer.from(reply.body)
  const step = Math.max(1, Math.floor(bytesPerSecond / 10))
  // A reply without a body can only be slow before its headers.
  if (body.length === 0) await wait((headBytes / bytesPerSecond) * 1000)
  if (response.destroyed) return
  response.writeHead(reply.status, { ...reply.headers, 'content-length': String(body.length) })
  for (let at = 0; at < body.length && !response.destroyed; at += step) {
    response.write(body.subarray(at, at + step))
    await wait(Math.max(100, 1000 / bytesPerSecond))
  }
  response.end()
}

/** Sends the correct reply followed by white space, so that a client without a size limit reads all of it. */
export async function sendPadded(response: ServerResponse, reply: Reply, bytes: number): Promise<void> {
  const padding = Buffer.alloc(64 * 1024, ' ')
  response.writeHead(reply.status, reply.headers)
  response.write(reply.body)
  for (let sent = 0; sent < bytes && !response.destroyed; sent += padding.length) {
    const canContinue = response.write(padding.subarray(0, Math.min(padding.length, bytes - sent)))
    if (!canContinue) await waitForDrain(response)
  }
  response.end()
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}
