import type { EventName, WebhookFormat } from '@carillon/contract'
import type { Generated } from 'kysely'
import type { Instant, MaybeInstant } from './columns.ts'

export type WebhookTable = {
  workspace_id: string
  id: string
  url: string
  events: EventName[]
  secret_sealed: Buffer
  secret_hint: string
  previous_secret_sealed: Buffer | null
  previous_secret_until: MaybeInstant
  active: boolean
  disabled_reason: string | null
  /** How long a delivery that failed is tried again. */
  retries: Generated<'short' | 'day'>
  created_at: Instant
  updated_at: Instant
  /** The same as `id` where the row stands for a webhook of an account. Then the columns above are empty. */
  account_webhook_id: Generated<string | null>
  /** `json`, or the platform of the chat. */
  format: Generated<WebhookFormat>
  /** What a chat is told of. Then `events` is empty, and `url` has only the host of the address. */
  chat_events: Generated<EventName[] | null>
  address_sealed: Generated<Buffer | null>
}

/** The columns mean what they mean in `webhook`. */
export type AccountWebhookTable = Omit<
  WebhookTable,
  'workspace_id' | 'account_webhook_id' | 'format' | 'chat_events' | 'address_sealed'
> & { person_id: string }

export type WebhookDeliveryTable = {
  workspace_id: string
  webhook_id: string
  id: string
  event: EventName
  url: string
  body: string
  status: 'pending' | 'delivered' | 'failed'
  status_code: number
  attempts: number
  tries: number
  response_body: string
  delivered_at: MaybeInstant
  next_attempt_at: MaybeInstant
  generation: Generated<number>
  claimed_at: MaybeInstant
  duration_ms: number | null
  created_at: Instant
}
