import { filesOf, isRecord, keyOf, readValues, refuseTooMany, textIn, type FileRow } from './file-row.ts'

type Source = Record<string, unknown>

/**
 * Pages of the query `posts` of Buffer's GraphQL API, or its posts alone: `id`, `text`, `status`, `dueAt`, `channelId` or `channel {service name}`,
 * and `assets` with `source`, `mimeType` and `image {altText}`.
 * Source: https://developers.buffer.com/examples/get-posts-with-assets.html
 */
export function readBuffer(content: string): FileRow[] {
  const posts = readValues(content, edgesIn).map((value) => (isRecord(value) && isRecord(value['node']) ? value['node'] : value))
  refuseTooMany(posts.length)
  return posts.map((post) =>
    isRecord(post) ? readPost(post) : { key: keyOf('buffer', null, post), refusal: 'This is no post.' },
  )
}

function edgesIn(page: unknown): unknown {
  const data = isRecord(page) && isRecord(page['data']) ? page['data'] : page
  const posts = isRecord(data) ? data['posts'] : null
  return isRecord(posts) ? posts['edges'] : posts
}

function readPost(post: Source): FileRow {
  const key = keyOf('buffer', post['id'], post)
  const state = stateIn(post['status'])
  if (state === null) return { key, refusal: `Buffer has no status "${String(post['status'])}".` }
  const account = accountIn(post)
  if (account === null) return { key, refusal: 'The post does not say which channel it is for.' }
  const assets: unknown[] = Array.isArray(post['assets']) ? post['assets'] : []
  const { type, fields } = filesOf(
    assets.filter(isRecord).flatMap((asset) => {
      const url = textIn(asset['source'])
      const image = isRecord(asset['image']) ? asset['image'] : {}
      return url ? [{ url, mimeType: textIn(asset['mimeType']), alt: textIn(image['altText']) }] : []
    }),
  )
  const at = textIn(post['dueAt'])
  return {
    key,
    content: {
      type,
      accounts: [account],
      state,
      fields: { text: textIn(post['text']) ?? '', ...fields, ...(at !== null && { scheduledAt: at }) },
    },
  }
}

function stateIn(status: unknown): 'draft' | 'scheduled' | 'published' | null {
  if (status === 'scheduled' || status === 'draft') return status
  if (status === 'needs_approval') return 'draft'
  return status === 'sent' || status === 'sending' || status === 'error' ? 'published' : null
}

function accountIn({ channel, channelId }: Source): string | null {
  if (!isRecord(channel)) return textIn(channelId)
  const service = textIn(channel['service'])
  const name = textIn(channel['name'])
  return service && name ? `${service}/${name}` : textIn(channelId)
}
