import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { stateOf } from '../../state/tokens.ts'
import { communities, findCommunity, languages, viewCommunity } from './communities.ts'
import { refusal } from './errors.ts'

export const api = '/api/v3'

const totpCode = '123456'

/** By the beginning of the handle: what is special about the account. */
export function isKind({ handle }: Account, kind: 'totp' | 'unverified' | 'banned' | 'bot' | 'german' | 'slurs'): boolean {
  return handle.startsWith(`${kind}-`)
}

/** A token is valid until its person signs out or changes the password. */
export function issueToken(context: PlatformContext, account: Account): string {
  const issuedAtMs = context.now()
  const value = `eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.${randomToken()}.${randomToken()}`
  const expiresAtMs = issuedAtMs + context.accessLifetimeMs(Infinity)
  return context.tokens.issue({ value, kind: 'access', account, issuedAtMs, expiresAtMs }).value
}

export function peopleRoutes(context: PlatformContext): Route[] {
  const named = (call: Call) => context.accounts.find(textOf(call.fields?.['username_or_email']) ?? '')
  /** Lemmy ignores a token that it does not know where none is needed. */
  const reader = (call: Call) => {
    const token = context.tokens.find(call.bearer())
    return token && stateOf(token, context.now()) === 'live' ? token.account : undefined
  }
  return [
    {
      method: 'POST',
      path: `${api}/user/login`,
      operation: 'token',
      open: true,
      findAccount: named,
      charges: [{ limit: 'register', cost: 1 }],
      answer(call) {
        const account = named(call)
        if (!account || call.fields?.['password'] !== account.password) throw refusal('incorrect_login')
        if (isKind(account, 'unverified')) throw refusal('email_not_verified')
        const code = textOf(call.fields?.['totp_2fa_token'])
        if (isKind(account, 'totp') && code === undefined) throw refusal('missing_totp_token')
        if (isKind(account, 'totp') && code !== totpCode) throw refusal('incorrect_totp_token')
        return json(200, { jwt: issueToken(context, account), registration_created: false, verify_email_sent: false })
      },
    },
    {
      method: 'GET',
      path: `${api}/user/validate_auth`,
      operation: 'account',
      handle: () => json(200, { success: true }),
    },
    {
      method: 'GET',
      path: `${api}/site`,
      operation: 'account',
      open: true,
      findAccount: reader,
      charges: [{ limit: 'message', cost: 1 }],
      answer(call) {
        const account = reader(call)
        return json(200, {
          site_view: { site: { name: 'Bells of the simulator' } },
          version: '0.19.19',
          all_languages: languages,
          discussion_languages: [],
          ...(account && { my_user: viewUser(context, account) }),
        })
      },
    },
    {
      method: 'GET',
      path: `${api}/community`,
      operation: 'stage',
      open: true,
      findAccount: reader,
      charges: [{ limit: 'message', cost: 1 }],
      answer({ query }) {
        const community = findCommunity(context, query.get('name'))
        if (!community) throw refusal('couldnt_find_community')
        return json(200, { community_view: { community: viewCommunity(context, community) }, moderators: [] })
      },
    },
  ]
}

export function viewPerson(context: PlatformContext, account: Account) {
  return {
    id: Number(account.id),
    name: account.handle,
    avatar: context.avatarUrlOf(account.handle),
    banned: isKind(account, 'banned'),
    actor_id: `${context.origin}/u/${account.handle}`,
    local: true,
    deleted: false,
    bot_account: isKind(account, 'bot'),
  }
}

function viewUser(context: PlatformContext, account: Account) {
  return {
    local_user_view: {
      local_user: { show_bot_accounts: !isKind(account, 'bot'), show_nsfw: false },
      person: viewPerson(context, account),
    },
    follows: communities.slice(0, 2).map((each) => ({ community: viewCommunity(context, each) })),
    moderates: [],
    // The languages whose posts the person is shown.
    discussion_languages: isKind(account, 'german') ? [0, 32] : languages.map(({ id }) => id),
  }
}
