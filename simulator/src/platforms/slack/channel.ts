import type { Account } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'

/**
 * An account is a channel of a workspace together with the bot of the app that was installed there. The beginning of its handle says what is
 * particular about it: the bot is not in it (`outside`), it is archived, only some may write there (`restricted`), the app may not read
 * messages (`scopeless`), or it lacks another scope (`no-files-read-`).
 */
type Kind = 'outside' | 'private' | 'archived' | 'restricted' | 'scopeless'

export function isKind({ handle }: Account, kind: Kind): boolean {
  return handle.startsWith(`${kind}-`)
}

const digits = 10

export function channelIdOf(handle: string): string {
  return `C${accountNumber('slack', handle, digits)}`
}

export function botUserIdOf({ handle }: Account): string {
  return `U${accountNumber('slack bot', handle, digits)}`
}

export function viewAuth(account: Account) {
  const { handle } = account
  return {
    url: `https://${handle}-team.slack.com/`,
    team: `The workspace of ${handle}`,
    user: `${handle}-bot`,
    team_id: `T${accountNumber('slack team', handle, digits)}`,
    user_id: botUserIdOf(account),
    bot_id: `B${accountNumber('slack bot', handle, digits)}`,
    is_enterprise_install: false,
  }
}

const scopes = ['chat:write', 'files:write', 'files:read', 'channels:read', 'groups:read', 'channels:history', 'groups:history']

/** What the app of this account may do. */
export function scopesOf(account: Account): string[] {
  const isGranted = (scope: string) => !account.handle.startsWith(`no-${scope.replace(':', '-')}-`)
  return scopes.filter((scope) => isGranted(scope) && !(isKind(account, 'scopeless') && scope.endsWith(':history')))
}

/** Methods that read a channel need the scope of its kind: Slack calls private channels groups. */
export function scopeFor(account: Account, scope: string): string {
  return isKind(account, 'private') ? scope.replace('channels:', 'groups:') : scope
}

export function viewChannel(account: Account) {
  const isPrivate = isKind(account, 'private')
  return {
    id: account.id,
    name: account.handle,
    is_channel: !isPrivate,
    is_group: isPrivate,
    is_im: false,
    is_private: isPrivate,
    is_archived: isKind(account, 'archived'),
    is_member: !isKind(account, 'outside'),
  }
}
