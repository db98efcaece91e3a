import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { html, type Reply } from './http/reply.ts'
import { send, sendPadded, sendSlowly } from './http/send.ts'
import type { Platform } from './platform.ts'
import type { PlainFault } from './state/faults.ts'

const notTheApi =
  '<!doctype html><html><head><title>Welcome</title></head><body><h1>Please sign in to the network</h1></body></html>'

type Scene = { platform: Platform; response: ServerResponse; answer: () => Reply }

/** Acts out one fault. `answer` is the platform doing its work: a fault decides whether that happens and what the caller sees of it. */
export async function performFault(fault: PlainFault, { platform, response, answer }: Scene): Promise<void> {
  switch (fault.kind) {
    case 'drop_before':
      response.destroy()
      return
    case 'drop_after':
      answer()
      response.destroy()
      return
    case 'status':
      if (fault.commit === true) answer()
      send(response, statusReply(platform, fault))
      return
    case 'delay':
      await delay(fault, { platform, response, answer })
      return
    case 'slow_body':
      await sendSlowly(response, answer(), fault.bytesPerSecond)
      return
    case 'huge_body':
      await sendPadded(response, answer(), fault.bytes)
      return
    case 'expired_token':
      send(response, platform.expiredToken())
      return
    case 'garbage':
      if (fault.commit === true) answer()
      send(response, html(200, notTheApi))
  }
}

/** `after` has done the work and is slow to say so; `before` does it late, even when the caller has left by then. */
async function delay(fault: PlainFault & { kind: 'delay' }, { response, answer }: Scene): Promise<void> {
  if (fault.when === 'before') {
    await wait(fault.ms)
    send(response, answer())
    return
  }
  const reply = answer()
  await wait(fault.ms)
  send(response, reply)
}

function statusReply(platform: Platform, fault: PlainFault & { kind: 'status' }): Reply {
  const reply = platform.failure(fault.status, fault.retryAfterSeconds)
  if (fault.retryAfterSeconds !== undefined) reply.headers['retry-after'] = String(fault.retryAfterSeconds)
  if (fault.body !== undefined) reply.body = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body)
  Object.assign(reply.headers, fault.headers)
  return reply
}
