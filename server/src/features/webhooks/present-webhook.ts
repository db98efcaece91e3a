import type { Role, Webhook } from '@carillon/contract'
import { maskAddress, seesAddresses } from './mask-address.ts'
import type { WebhookRow } from './webhook.store.ts'

/** Only the answer that created the secret shows all of it; every other answer shows its last characters. */
export function presentWebhook(row: WebhookRow, role: Role, secret = `whsec_…${row.secret_hint}`): Webhook {
  return {
    id: row.id,
    url: seesAddresses(role) ? row.url : maskAddress(row.url),
    events: row.events,
    secret,
    active: row.active,
    disabledReason: row.disabled_reason,
    // Shown where it was chosen: a webhook without it looks as it did before there was a choice.
    ...(row.retries !== 'short' && { retries: row.retries }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
