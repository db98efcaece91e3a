import { createHash } from 'node:crypto'
import type { Call, Http } from '../kit/http.ts'
import { signMessage } from '../kit/sign-message.ts'
import { AnyBody } from './wire.ts'

type Signed = Pick<Call<typeof AnyBody>, 'method' | 'path' | 'headers'> & { bytes: NonNullable<Call<typeof AnyBody>['bytes']> }

export type Send = { type: 'post.publish' | 'post.remove'; key: string; data: unknown }

/** A question: its body is empty, and its id is the key that it is about, or a word. */
export function signRead(http: Http, secret: string, id: string): Record<string, string> {
  return signMessage({ id, atMs: http.nowMs(), body: '' }, [secret])
}

/**
 * A request that changes something. It is always a POST whose body says what: the signature covers the body, but neither the method nor the
 * address. The bytes are those that were signed.
 */
export function signSend(http: Http, secret: string, { type, key, data }: Send): Signed {
  const atMs = http.nowMs()
  const body = JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data })
  return {
    method: 'POST',
    path: '',
    headers: { ...signMessage({ id: key, atMs, body }, [secret]), 'idempotency-key': key },
    bytes: { body: new TextEncoder().encode(body), mimeType: 'application/json' },
  }
}

/** A key for the removal of a post. An id is any text of the receiver, and a header is not. */
export function removalKey(postId: string): string {
  return `remove_${createHash('sha256').update(postId).digest('hex').slice(0, 32)}`
}
