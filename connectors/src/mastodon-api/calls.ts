import type { TSchema } from 'typebox'
import { type Account, type App, readFollowers } from '../kit/auth.ts'
import { type Figures, type Media, readEach } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { streamMultipart, uploadOf } from '../kit/stream-multipart.ts'
import { Account as OwnAccount, AnyBody, RegisteredApp, StatusCounts } from './wire.ts'

type NewApp = { name: string; redirectUrl: string; website: string }

/** Every server has its own apps, and registers one by a call. */
export async function registerApp(http: Http, { name, redirectUrl, website }: NewApp, scopes: readonly string[]): Promise<App> {
  const json = { client_name: name, redirect_uris: redirectUrl, scopes: scopes.join(' '), website }
  const app = await http.call({ method: 'POST', path: '/api/v1/apps', json, anonymous: true, returns: RegisteredApp })
  return { clientId: app.client_id, clientSecret: app.client_secret }
}

export async function readAccount(http: Http): Promise<Account> {
  const me = await http.call({ method: 'GET', path: '/api/v1/accounts/verify_credentials', returns: OwnAccount })
  // A user name is unique on its server only, so the host is added.
  const handle = me.acct.includes('@') ? me.acct : `${me.acct}@${new URL(http.origin).host}`
  return {
    id: me.id,
    handle,
    displayName: me.display_name || me.username,
    avatarUrl: me.avatar ?? null,
    ...readFollowers(me.followers_count),
  }
}

/** Uploads a file with its alternative text. No status refers to it yet, so that nobody sees it. */
export async function uploadFile<Schema extends TSchema>(http: Http, media: Media, returns: Schema) {
  const form = await streamMultipart('file', media, media.alt === '' ? {} : { description: media.alt })
  return http.call({ method: 'POST', path: '/api/v2/media', ...uploadOf(form), returns })
}

export const statusPath = (postId: string) => `/api/v1/statuses/${encodeURIComponent(postId)}`

export async function removeStatus(http: Http, postId: string): Promise<void> {
  await http.call({ method: 'DELETE', path: statusPath(postId), returns: AnyBody })
}

/** One request per post: only Mastodon 4.3 and newer can return many at once. */
export function readFigures(http: Http, postIds: readonly string[]): Promise<ReadonlyMap<string, Figures>> {
  return readEach(postIds, async (postId) => {
    const status = await http.call({ method: 'GET', path: statusPath(postId), returns: StatusCounts })
    return { likes: status.favourites_count, comments: status.replies_count, shares: status.reblogs_count }
  })
}
