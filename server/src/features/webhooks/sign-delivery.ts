import { createHmac } from 'node:crypto'
import { signMessage, type Message } from '@carillon/connectors'

/**
 * Returns the headers that prove that a delivery is ours: our own signature of the exact body, and the three headers of Standard Webhooks
 * for receivers that also reject replays. After a rotation there are signatures with the new and the previous secret.
 */
export function signDelivery(message: Message, secret: string, previous: string | null): Record<string, string> {
  const secrets = previous === null ? [secret] : [secret, previous]
  return {
    'x-webhook-signature': bodySignature(message.body, secret),
    ...(previous !== null && { 'x-webhook-signature-previous': bodySignature(message.body, previous) }),
    ...signMessage(message, secrets),
  }
}

/** The key is the whole secret as it is written, including its prefix. */
function bodySignature(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
