import type { EventName } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { insertDeliveries, type NewDelivery } from '../delivery.store.ts'
import { findChats, type ChatWebhook } from '../webhook.store.ts'
import { chatOf, openAddress } from './chat-address.ts'

/** What happened and where, what to do about it, and the page where it is done. */
export type ChatLine = { title: string; todo: string; address: string | null }

export type PlannedLine = { workspaceId: string; event: EventName; line: ChatLine }

/** Makes one delivery of each line for each chat that wants to be told of its event. Returns their number. */
export async function planChatLines(ctx: Context, tx: Tx, lines: readonly PlannedLine[]): Promise<number> {
  if (lines.length === 0) return 0
  const chats = await findChats(tx, [...new Set(lines.map(({ workspaceId }) => workspaceId))])
  const nowMs = ctx.nowMs()
  const deliveries = lines.flatMap(({ workspaceId, event, line }) =>
    chats
      .filter((chat) => chat.workspaceId === workspaceId && chat.events.includes(event))
      .map((chat) => composeChatLine(ctx, chat, { deliveryId: newUuid(), event, line, nowMs })),
  )
  await insertDeliveries(tx, deliveries)
  return deliveries.length
}

export async function findChatOf(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<ChatWebhook | undefined> {
  return (await findChats(tx, [workspaceId])).find((chat) => chat.id === id)
}

export const testLine: ChatLine = { title: 'This is a test. Notices of Carillon will reach this chat.', todo: '', address: null }

type Composed = { deliveryId: string; event: EventName; line: ChatLine; nowMs: number }

/** The body is fixed here, so that every attempt sends the same bytes. */
export function composeChatLine(ctx: Context, chat: ChatWebhook, { deliveryId, event, line, nowMs }: Composed): NewDelivery {
  const { workspaceId, id: webhookId, url, format } = chat
  const body = JSON.stringify(chatOf(format).bodyOf(textOf(line), openAddress(ctx, chat)))
  return { workspaceId, webhookId, id: deliveryId, event, url, body, at: new Date(nowMs) }
}

const textMax = 1500

/** At most 1,500 characters. The address is at the end and is never cut. Names come from users, so a line break in one begins no line. */
function textOf({ title, todo, address }: ChatLine): string {
  const words = [title, todo].map((line) => line.replaceAll(/\p{Cc}+/gu, ' ').trim()).filter((line) => line !== '')
  const end = address === null ? '' : `\n${address}`
  const letters = Array.from(words.join('\n'))
  const left = textMax - end.length
  return `${letters.length > left ? `${letters.slice(0, left - 1).join('')}…` : letters.join('')}${end}`
}
