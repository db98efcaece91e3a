import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { keyOf } from './keys.ts'

export const api = '/ghost/api/admin'

/** Each account is a site of its own. All of them answer at one address, where the key of a call tells which is meant. */
export function siteUrl(handle: string): string {
  return `https://${handle}.ghost.example/`
}

export function siteRoutes(context: PlatformContext): Route[] {
  return [
    {
      method: 'GET',
      path: `${api}/site/`,
      operation: 'account',
      open: true,
      findAccount: (call) => context.tokens.find(keyOf(context, call))?.account,
      answer: (call) => json(200, { site: describeSite(context, context.tokens.find(keyOf(context, call))?.account) }),
    },
  ]
}

function describeSite(context: PlatformContext, account: Account | undefined) {
  return {
    title: 'Bells & Towers',
    description: 'Thoughts, stories and ideas.',
    logo: null,
    icon: account ? context.avatarUrlOf(account.handle) : null,
    cover_image: null,
    accent_color: '#15171A',
    locale: 'en',
    timezone: 'Etc/UTC',
    url: siteUrl(account?.handle ?? 'site'),
    version: '6.65',
    allow_external_signup: true,
  }
}
