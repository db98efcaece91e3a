import { numberOf, textOf, type Fields } from '../http/fields.ts'
import { json, refuse } from '../http/reply.ts'
import { openAccount, type Platform } from '../platform.ts'
import type { TokenKind } from '../state/tokens.ts'
import type { ControlContext, ControlRoute } from './control-route.ts'
import { bodyOf, loadAccount, loadPlatform } from './load-account.ts'

const countMax = 200_000

export function accountRoutes(control: ControlContext): ControlRoute[] {
  return [
    {
      method: 'POST',
      path: '/accounts',
      answer(call) {
        const fields = bodyOf(call)
        const platform = loadPlatform(control, fields['platform'])
        const handle = textOf(fields['handle'])
        if (handle === undefined || handle === '') throw refuse(400, { error: 'handle is required' })
        const count = numberOf(fields['count'])
        if (count === undefined) return json(201, connect(platform, handle))
        if (!Number.isInteger(count) || count < 1 || count > countMax)
          throw refuse(400, { error: `count must be 1 to ${countMax}` })
        return json(201, { accounts: Array.from({ length: count }, (_, at) => connect(platform, `${handle}-${at + 1}`)) })
      },
    },
    {
      method: 'GET',
      path: '/accounts',
      answer() {
        const accounts = [...control.platforms.values()].flatMap(({ context }) => context.accounts.all())
        return json(200, { accounts: accounts.map(({ id, handle, platform }) => ({ id, handle, platform })) })
      },
    },
    {
      method: 'POST',
      path: '/tokens/expire',
      answer(call) {
        const fields = bodyOf(call)
        const { platform, account } = loadAccount(control, fields)
        const atMs = platform.context.now() + (numberOf(fields['inSeconds']) ?? 0) * 1000
        platform.context.tokens.expire(account, { kind: readKind(fields) ?? 'access', atMs })
        return json(200, { ok: true })
      },
    },
    {
      method: 'POST',
      path: '/tokens/revoke',
      answer(call) {
        const fields = bodyOf(call)
        const { platform, account } = loadAccount(control, fields)
        platform.context.tokens.revoke(account, readKind(fields))
        return json(200, { ok: true })
      },
    },
  ]
}

function readKind({ kind }: Fields): TokenKind | undefined {
  if (kind === undefined || kind === 'access' || kind === 'refresh') return kind
  throw refuse(400, { error: 'kind must be access or refresh' })
}

function connect(platform: Platform, handle: string) {
  const account = openAccount(platform, handle)
  return { account: { id: account.id, handle, platform: account.platform }, credentials: platform.issueCredentials(account) }
}
