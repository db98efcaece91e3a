import type { Account } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'

/**
 * An account is a text channel of a server together with the bot that was added to the server. The beginning of its handle says what is
 * particular about it: the bot may not write (`muted`), may write by its own role only (`granted`), may not read what was written (`deaf`), is
 * the administrator, or was removed (`left`); the channel is one for announcements (`news`) or a forum, which takes no messages.
 */
type Kind = 'muted' | 'granted' | 'deaf' | 'administrator' | 'left' | 'news' | 'forum'

export function isKind({ handle }: Account, kind: Kind): boolean {
  return handle.startsWith(`${kind}-`)
}

const idDigits = 18

export function channelIdOf(handle: string): string {
  return accountNumber('discord', handle, idDigits)
}

export function guildIdOf({ handle }: Account): string {
  return accountNumber('discord guild', handle, idDigits)
}

export function botIdOf({ handle }: Account): string {
  return accountNumber('discord bot', handle, idDigits)
}

const roleIdOf = ({ handle }: Account) => accountNumber('discord role', handle, idDigits)

const administrator = 1n << 3n
const viewChannel = 1n << 10n
const sendMessages = 1n << 11n
const embedLinks = 1n << 14n
const attachFiles = 1n << 15n
const readHistory = 1n << 16n
const usual = viewChannel | sendMessages | embedLinks | attachFiles | readHistory

export function viewBot(account: Account) {
  return { id: botIdOf(account), username: `${account.handle}-bot`, discriminator: '0000', avatar: null, bot: true }
}

export function viewChannelOf(account: Account) {
  const type = isKind(account, 'news') ? 5 : isKind(account, 'forum') ? 15 : 0
  return {
    id: account.id,
    type,
    guild_id: guildIdOf(account),
    name: account.handle,
    position: 0,
    nsfw: false,
    parent_id: null,
    permission_overwrites: overwritesOf(account),
  }
}

function overwritesOf(account: Account) {
  const everyone = (denied: bigint) => ({ id: guildIdOf(account), type: 0, allow: '0', deny: String(denied) })
  if (isKind(account, 'muted') || isKind(account, 'administrator')) return [everyone(sendMessages)]
  if (isKind(account, 'deaf')) return [everyone(readHistory)]
  if (!isKind(account, 'granted')) return []
  return [everyone(usual), { id: roleIdOf(account), type: 0, allow: String(usual), deny: '0' }]
}

export function viewGuild(account: Account) {
  const own = isKind(account, 'administrator') ? administrator : 0n
  return {
    id: guildIdOf(account),
    name: `The server of ${account.handle}`,
    icon: null,
    owner_id: accountNumber('discord owner', account.handle, idDigits),
    roles: [
      { id: guildIdOf(account), name: '@everyone', permissions: String(usual) },
      { id: roleIdOf(account), name: 'Bells', permissions: String(own) },
    ],
  }
}

export function viewMember(account: Account) {
  return { user: viewBot(account), nick: null, roles: [roleIdOf(account)], deaf: false, mute: false }
}
