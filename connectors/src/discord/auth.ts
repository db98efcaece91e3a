import type { Static } from 'typebox'
import type { PasswordAuth } from '../kit/auth.ts'
import { PlatformError, refuseEntered } from '../kit/platform-error.ts'
import { notAdmitted } from './errors.ts'
import { Channel, Guild, Me, Member } from './wire.ts'

export const api = '/api/v10'

/** Discord wants this form of a name from every bot. */
const userAgent = 'DiscordBot (https://carillon.dev, 1)'

export const headersOf = (token: string) => ({ authorization: `Bot ${token}`, 'user-agent': userAgent })

const tokenForm = /^[\w-]{10,50}\.[\w-]{4,20}\.[\w-]{20,100}$/
const idForm = /^\d{1,20}$/

/** Text and announcement channels. Threads have permissions of their own, and forums take no messages. */
const channelTypes = [0, 5]

const administrator = 1n << 3n
/** To see the channel, to write, to show links, to attach files, and to read what was written, which answers need too. */
const needed = [10n, 11n, 14n, 15n, 16n].map((bit) => 1n << bit)

export const auth: PasswordAuth = {
  kind: 'password',
  fields: [
    { name: 'token', label: 'Token of the bot', secret: true },
    { name: 'channel', label: 'Link of the channel', secret: false },
  ],
  perInstance: false,

  // A token is valid until the owner of the bot resets it.
  async open(http, fields) {
    const token = (fields.token ?? '').trim().replace(/^Bot /i, '')
    if (!tokenForm.test(token))
      throw refuseEntered('Discord needs the token of a bot, as the page of the bot shows it after a reset.')
    const read = { method: 'GET', anonymous: true, headers: headersOf(token) } as const
    const id = channelIdOf(fields.channel ?? '')
    const bot = await http.call({ ...read, path: `${api}/users/@me`, returns: Me })
    const channel = await http.call({ ...read, path: `${api}/channels/${id}`, returns: Channel })
    if (!channelTypes.includes(channel.type) || channel.guild_id === undefined)
      throw refuseEntered('Discord takes posts in text and announcement channels of a server. Choose such a channel.')
    const path = `${api}/guilds/${encodeURIComponent(channel.guild_id)}`
    const guild = await http.call({ ...read, path, returns: Guild })
    const member = await http.call({ ...read, path: `${path}/members/${encodeURIComponent(bot.id)}`, returns: Member })
    if (!mayPost({ botId: bot.id, channel, guild, member })) throw new PlatformError({ ...notAdmitted, platformCode: null })
    return { accessToken: token, extra: { bot: bot.id, guild: guild.id, channel: channel.id } }
  },
}

/** "Copy Link" gives the address of a channel; its number is the last one but for a message. */
function channelIdOf(entered: string): string {
  const text = entered.trim()
  const id = /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/\d+\/(\d+)(?:\/\d*)?$/.exec(text)?.[1] ?? text
  if (!idForm.test(id)) throw refuseEntered('Discord needs the link of a channel (Copy Link in its menu) or its number.')
  return id
}

type Place = {
  botId: string
  channel: Static<typeof Channel>
  guild: Static<typeof Guild>
  member: Static<typeof Member>
}

/** As Discord computes permissions: those of everybody and of roles, then what the channel takes away and gives, the most particular last. */
function mayPost({ botId, channel, guild, member }: Place): boolean {
  const roles = guild.roles.filter(({ id }) => id === guild.id || member.roles.includes(id))
  const base = roles.reduce((all, { permissions }) => all | bitsOf(permissions), 0n)
  if (guild.owner_id === botId || (base & administrator) !== 0n) return true
  const overwrites = channel.permission_overwrites ?? []
  const levels = [[guild.id], member.roles, [botId]]
  const permissions = levels.reduce((before, ids) => {
    const ours = overwrites.filter(({ id }) => ids.includes(id))
    const denied = ours.reduce((all, { deny }) => all | bitsOf(deny), 0n)
    const allowed = ours.reduce((all, { allow }) => all | bitsOf(allow), 0n)
    return (before & ~denied) | allowed
  }, base)
  return needed.every((permission) => (permissions & permission) !== 0n)
}

/** Permissions are a number in a text, because it is too large for JSON. */
function bitsOf(text: string): bigint {
  return idForm.test(text) ? BigInt(text) : 0n
}
