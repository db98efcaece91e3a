import type { Static, TSchema } from 'typebox'
import type { Account } from '../kit/auth.ts'
import type { Client } from '../kit/connector.ts'
import type { Call, Http } from '../kit/http.ts'
import type { Page } from './wire.ts'

export const pageFields = 'id,name,username,picture.type(large)'

export function accountOf({ id, name, username, picture }: Static<typeof Page>): Account {
  const handle = username || id
  return { id, handle, displayName: name || handle, avatarUrl: picture?.data.url ?? null }
}

/** The token of the page. Someone may have connected with a token of a page alone. */
export function pageToken({ account, credentials }: Client): string {
  return credentials.extra?.[account.id] ?? credentials.accessToken
}

/** The client with the token of the page: the person's own may not publish there. Only for paths of the API, never for other hosts. */
export function asPage(client: Client): Http {
  const { http } = client
  const headers = { authorization: `Bearer ${pageToken(client)}` }
  const withToken = <Schema extends TSchema>(call: Call<Schema>): Call<Schema> => ({
    ...call,
    headers: { ...headers, ...call.headers },
  })
  return { ...http, call: (call) => http.call(withToken(call)), exchange: (call) => http.exchange(withToken(call)) }
}

/** The path of something on the page, or of the page itself. */
export function pathOf(id: string, edge = ''): string {
  return `/v26.0/${encodeURIComponent(id)}${edge}`
}

/** Videos have an address without its host. */
export function absoluteUrl(permalink: string): string {
  return permalink.startsWith('/') ? `https://www.facebook.com${permalink}` : permalink
}

export function urlOf(postId: string): string {
  return `https://www.facebook.com/${postId}`
}
