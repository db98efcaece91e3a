import type { Static } from 'typebox'
import type { PasswordAuth } from '../kit/auth.ts'
import { PlatformError, refuseEntered } from '../kit/platform-error.ts'
import { notAdmitted } from './errors.ts'
import { Bot, Chat, Member } from './wire.ts'

/** The token is part of each address, so nothing that could lead elsewhere is taken for one. */
const tokenForm = /^\d{1,20}:[\w-]{20,100}$/

export const auth: PasswordAuth = {
  kind: 'password',
  fields: [
    { name: 'botToken', label: 'Token of the bot', secret: true },
    { name: 'chat', label: 'Channel or group', secret: false },
  ],
  perInstance: false,

  // A token is valid until the owner of the bot asks BotFather for another one.
  async open(http, fields) {
    const token = (fields.botToken ?? '').trim()
    if (!tokenForm.test(token))
      throw refuseEntered('Telegram needs the token of a bot, as BotFather shows it: digits, a colon and letters.')
    const read = { method: 'GET', anonymous: true } as const
    const { result: bot } = await http.call({ ...read, path: `/bot${token}/getMe`, returns: Bot })
    const query = { chat_id: chatOf(fields.chat ?? '') }
    const { result: chat } = await http.call({ ...read, path: `/bot${token}/getChat`, query, returns: Chat })
    const ids = { chat_id: String(chat.id), user_id: String(bot.id) }
    const { result: member } = await http.call({ ...read, path: `/bot${token}/getChatMember`, query: ids, returns: Member })
    if (!mayPost(chat, member)) throw new PlatformError({ ...notAdmitted, platformCode: null })
    return { accessToken: token, extra: { chat: String(chat.id) } }
  },
}

/** People copy the link of a channel, its name with or without the @, or the number of a private chat. */
function chatOf(entered: string): string {
  const text = entered.trim().replace(/^(?:https?:\/\/)?t\.me\/(?:s\/)?/i, '')
  const name = /^@?([\w-]{1,100})\/?$/.exec(text)?.[1]
  if (/^-?\d{1,20}$/.test(text)) return text
  if (name === undefined) throw refuseEntered('Telegram needs the @name of a channel or group, or the number of a private one.')
  return `@${name}`
}

function mayPost({ type }: Static<typeof Chat>['result'], member: Static<typeof Member>['result']): boolean {
  const { status, can_post_messages = false, can_send_messages = false } = member
  if (status === 'creator') return true
  if (status === 'administrator') return type !== 'channel' || can_post_messages
  if (type === 'channel') return false
  return status === 'member' || (status === 'restricted' && can_send_messages)
}
