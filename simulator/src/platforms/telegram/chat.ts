import type { Account } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'

/** An account is a chat together with the one bot that was added to it. The beginning of its handle says what kind of chat it is. */
type Chat = {
  id: number
  type: 'channel' | 'supergroup'
  title: string
  /** Private chats have none. */
  username?: string
}

/** Names of chats have no hyphens, so that either sign ends the kind. */
export function isKind(handle: string, kind: 'group' | 'private' | 'left' | 'muted' | 'crowded'): boolean {
  return handle.startsWith(`${kind}-`) || handle.startsWith(`${kind}_`)
}

export function chatIdOf(handle: string): string {
  return `-100${accountNumber('telegram', handle, 10)}`
}

export function botIdOf({ handle }: Account): number {
  return Number(accountNumber('telegram bot', handle, 10))
}

export function chatOf({ id, handle }: Account): Chat {
  const type = isKind(handle, 'group') ? 'supergroup' : 'channel'
  const isPrivate = isKind(handle, 'private')
  return { id: Number(id), type, title: `The chat of ${handle}`, ...(!isPrivate && { username: handle }) }
}

/** What the bot may do in its chat. Rights to post exist in channels only; in a group, every member may write. */
export function memberOf(account: Account) {
  const user = { id: botIdOf(account), is_bot: true, first_name: 'Bell bot', username: `${account.handle}_bot` }
  if (isKind(account.handle, 'left')) return { status: 'left', user }
  if (isKind(account.handle, 'group')) return { status: 'member', user }
  return { status: 'administrator', user, can_be_edited: false, can_post_messages: !isKind(account.handle, 'muted') }
}

export function mayPost(account: Account): boolean {
  const { status, can_post_messages = true } = memberOf(account)
  return status !== 'left' && can_post_messages
}

/** Whether a request means this chat: by its number, or by its name where it has one. */
export function isNamed(account: Account, asked: string): boolean {
  const { username } = chatOf(account)
  return asked === account.id || (username !== undefined && asked.toLowerCase() === `@${username}`.toLowerCase())
}
