import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { html, type Reply } from './http/reply.ts'
import { send, sendPadded, sendSlowly } from './http/send.ts'
import { malformReply } from './malform-reply.ts'
import type { Platform } from './platform.ts'
import type { PlainFault } from './state/faults.ts'

const unrelatedPage =
  '<!doctype html><html><head><title>Welcome</title></head><body><h1>Please sign in to the network</h1></body></html>'

type FaultContext = {
  platform: Platform
  response: ServerResponse
  /** Runs the platform's handler. */
  answer: () => Reply
  /** Runs the platform's handler for a caller that does not receive its answer. */
  answerUnseen: () => void
}

/** Applies one fault, which decides whether the platform's handler runs and what the caller receives. */
export async function performFault(fault: PlainFault, context: FaultContext): Promise<void> {
  const { platform, response, answer, answerUnseen } = context
  switch (fault.kind) {
    case 'drop_before':
      response.destroy()
      return
    case 'drop_after':
      answerUnseen()
      response.destroy()
      return
    case 'status':
      if (fault.commit === true) answerUnseen()
      send(response, statusReply(platform, fault))
      return
    case 'delay':
      await delay(fault, context)
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
      if (fault.commit === true) answerUnseen()
      send(response, html(200, unrelatedPage))
      return
    case 'hang':
      if (fault.commit === true) answerUnseen()
      return
    case 'malformed':
      send(response, malformReply(answer()))
  }
}

/** `after` runs the handler at once and replies late; `before` runs it late, even if the caller has disconnected by then. */
async function delay(fault: PlainFault & { kind: 'delay' }, { response, answer }: FaultContext): Promise<void> {
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
  if (fault.body !== undefined) {
    // An answer with a body of its own is not the platform's, which may have another status for this.
    reply.status = fault.status
    reply.body = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body)
  }
  Object.assign(reply.headers, fault.headers)
  return reply
}
