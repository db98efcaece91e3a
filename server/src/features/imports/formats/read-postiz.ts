import { asUtc, filesOf, isRecord, keyOf, parse, readValues, refuseTooMany, textIn, type FileRow } from './file-row.ts'
import { readHtml } from './read-html.ts'

type Source = Record<string, unknown>

/**
 * Rows of the table `Post` of Postiz with its account, or the list of its public API: `id`, `content` as HTML, `publishDate` or `at`, `state`,
 * `image` as JSON, `group`, `parentPostId`, and the account as `platform` and `account` or in `integration`. Rows of a group that say the same
 * are one post for several accounts; rows with a parent are its thread.
 * Source: https://docs.postiz.com/public-api/posts/list, and gitroomhq/postiz-app, schema.prisma.
 */
export function readPostiz(content: string): FileRow[] {
  const values = readValues(content, (page) => (isRecord(page) ? page['posts'] : null)).filter(isRecord)
  const heads = values.filter((row) => !textIn(row['parentPostId']))
  const answers = Map.groupBy(
    values.filter((row) => textIn(row['parentPostId'])),
    (row) => String(row['parentPostId']),
  )
  const posts = [
    ...Map.groupBy(heads, (row) =>
      textIn(row['group'])
        ? JSON.stringify([row['group'], row['content'], row['image'], row['state'], timeIn(row), threadBelow(row, answers)])
        : JSON.stringify([row['id'], row['content']]),
    ).values(),
  ]
  refuseTooMany(posts.length)
  return posts.map((rows) => readPost(rows, answers))
}

function readPost(rows: readonly Source[], answers: ReadonlyMap<string, Source[]>): FileRow {
  const [row = {}] = rows
  const key = keyOf('postiz', row['id'], row)
  const at = timeIn(row)
  const state = stateIn(row)
  if (state === null) return { key, refusal: `Postiz has no state "${String(row['state'] ?? row['status'])}".` }
  const accounts = rows.map(accountIn)
  if (accounts.some((account) => account === null)) return { key, refusal: 'The row does not say which account it is for.' }
  const { type, fields } = filesOf(imagesIn(row['image'] ?? row['media']))
  const thread = threadBelow(row, answers).map((text) => ({ text }))
  return {
    key,
    content: {
      type,
      accounts: accounts.filter((account) => account !== null),
      state,
      fields: {
        text: readHtml(textIn(row['content']) ?? ''),
        ...fields,
        ...(at !== null && { scheduledAt: at }),
        ...(thread.length > 0 && { thread }),
      },
    },
  }
}

function stateIn(row: Source): 'draft' | 'scheduled' | 'published' | null {
  const state = String(row['state'] ?? row['status']).toUpperCase()
  if (state === 'QUEUE' || state === 'SCHEDULED') return 'scheduled'
  if (state === 'PUBLISHED' || state === 'ERROR') return 'published'
  return state === 'DRAFT' ? 'draft' : null
}

function accountIn(row: Source): string | null {
  const integration = isRecord(row['integration']) ? row['integration'] : {}
  const platform = textIn(row['platform']) ?? textIn(integration['providerIdentifier']) ?? textIn(integration['identifier'])
  const name = textIn(row['account']) ?? textIn(integration['name'])
  return platform && name ? `${platform}/${name}` : null
}

/** Its database has times in UTC without an offset. */
function timeIn(row: Source): string | null {
  const at = textIn(row['at']) ?? textIn(row['publishDate'])
  if (at === null) return null
  const time = new Date(asUtc(at))
  return Number.isNaN(time.getTime()) ? at : time.toISOString()
}

function imagesIn(images: unknown): { url: string; alt: string | null }[] {
  const parsed = typeof images === 'string' ? parse(images) : { ok: true as const, value: images }
  const list: unknown[] = parsed.ok && Array.isArray(parsed.value) ? parsed.value : []
  return list.filter(isRecord).flatMap((image) => {
    const url = textIn(image['path']) ?? textIn(image['url'])
    return url ? [{ url, alt: textIn(image['alt']) }] : []
  })
}

/** The texts that follow a post, each below the one before it. */
function threadBelow(row: Source, answers: ReadonlyMap<string, Source[]>): string[] {
  const texts: string[] = []
  const seen = new Set<unknown>([row['id']])
  let [next] = answers.get(String(row['id'])) ?? []
  while (next && !seen.has(next['id'])) {
    seen.add(next['id'])
    texts.push(readHtml(textIn(next['content']) ?? ''))
    ;[next] = answers.get(String(next['id'])) ?? []
  }
  return texts
}
