import { type Chat, connectors } from '@carillon/connectors'
import type { EventName, WebhookFormat } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { type Problem, problem } from '../../../infra/problem/problem.ts'
import { open, seal } from '../../../infra/sealing/seal.ts'
import { maskAddress } from '../mask-address.ts'

type ChatFormat = Exclude<WebhookFormat, 'json'>
type Key = { workspaceId: string; id: string }

export function chatOf(format: WebhookFormat): Chat {
  const chat = format === 'json' ? undefined : connectors[format].chat
  if (!chat) throw new Error(`webhooks with the format "${format}" write to no chat`)
  return chat
}

/** Whether this can be the address of such a chat. Whether it may be called is asked in any case. */
export function findAddressProblem(format: ChatFormat, url: string): Problem | null {
  const address = URL.parse(url)
  const message = address ? chatOf(format).findProblem(address) : 'Must be a complete address.'
  return message === null ? null : problem('request_invalid', { details: [{ path: 'url', message }] })
}

type Changed = { url?: string | undefined; events?: EventName[] | undefined }

/** Whoever has the address of a chat can write there, so it is sealed, and only its host is shown. */
export function chatColumns(
  ctx: Context,
  key: Key,
  { url, events }: { url: string; events: EventName[] },
): {
  url: string
  address_sealed: Buffer
  chat_events: EventName[]
}
export function chatColumns(
  ctx: Context,
  key: Key,
  change: Changed,
): { url?: string; address_sealed?: Buffer; chat_events?: EventName[] }
export function chatColumns(ctx: Context, key: Key, { url, events }: Changed) {
  return {
    ...(url !== undefined && { url: maskAddress(url), address_sealed: seal(ctx.config.secretKeys, placeOf(key), url) }),
    ...(events !== undefined && { chat_events: events }),
  }
}

type Sealed = Key & { format: WebhookFormat; sealed: Buffer }

export function openAddress(ctx: Context, { sealed, ...key }: Sealed): URL {
  return new URL(open(ctx.config.secretKeys, placeOf(key), sealed))
}

/** Where a message is sent. It goes through the guarded client like every delivery. */
export function chatTarget(ctx: Context, webhook: Sealed): string {
  return chatOf(webhook.format).urlOf(openAddress(ctx, webhook))
}

function placeOf({ workspaceId, id }: Key) {
  return { workspaceId, rowId: id, column: 'address' }
}
