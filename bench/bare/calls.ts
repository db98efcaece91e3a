import type { ConnectedAccount } from '../setup/connect-accounts.ts'

/** Platforms refuse requests that do not name the program. */
const named = { 'user-agent': 'carillon-bench' }

/** A publishing call as a connector would make it, prepared before the measurement. */
export type BareCall = { path: string; headers: Record<string, string>; body: string }

const json = 'application/json'
const tidAlphabet = '234567abcdefghijklmnopqrstuvwxyz'

export function bareCall({ account }: ConnectedAccount, text: string, at: number, containerId: string): BareCall {
  const { accessToken } = account.credentials
  const headers = { ...named, authorization: `Bearer ${accessToken}`, 'content-type': json }
  switch (account.platform) {
    case 'x':
      return { path: '/x/2/tweets', headers, body: JSON.stringify({ text }) }
    case 'mastodon':
      return {
        path: '/mastodon/api/v1/statuses',
        headers: { ...headers, 'idempotency-key': `${text} ${account.handle}` },
        body: JSON.stringify({ status: text, media_ids: [], visibility: 'public' }),
      }
    case 'bluesky': {
      const collection = 'app.bsky.feed.post'
      const record = { $type: collection, text, createdAt: new Date(at).toISOString() }
      return {
        path: '/bluesky/xrpc/com.atproto.repo.putRecord',
        headers,
        body: JSON.stringify({ repo: account.id, collection, rkey: tid(at), record }),
      }
    }
    case 'threads':
      return {
        path: `/threads/v1.0/${account.id}/threads_publish?access_token=${encodeURIComponent(accessToken)}`,
        headers: { ...named, 'content-type': 'application/x-www-form-urlencoded' },
        body: `creation_id=${containerId}`,
      }
  }
}

/** Threads needs a container before the post. It is not measured, because the service also creates it before the due time. */
export function containerCall({ account }: ConnectedAccount, text: string): BareCall {
  const form = new URLSearchParams({ media_type: 'TEXT', text })
  return {
    path: `/threads/v1.0/${account.id}/threads?access_token=${encodeURIComponent(account.credentials.accessToken)}`,
    headers: { ...named, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  }
}

let lastTid = 0n

function tid(atMs: number): string {
  const now = BigInt(atMs) * 1000n
  lastTid = now > lastTid ? now : lastTid + 1n
  const value = lastTid << 10n
  return Array.from({ length: 13 }, (_, place) => tidAlphabet.charAt(Number((value >> BigInt(5 * (12 - place))) & 31n))).join('')
}
