import { asUtc, filesOf, isRecord, keyOf, readValues, refuseTooMany, textIn, type FileRow } from './file-row.ts'
import { readHtml } from './read-html.ts'

type Source = Record<string, unknown>
type Content = { text: string; files: { url: string; mimeType: string | null; alt: string | null }[] }

/**
 * Posts as Mixpost answers with them: `id` or `uuid`, `status`, `accounts` with `provider`, `name` and `username`, `versions` with the content
 * for all accounts (`is_original`) and for single ones (`account_id`), and `scheduled_at`, which is UTC as one text, and the time of the
 * workspace as `{date, time}`. An account with a version of its own is a post of its own.
 * Source: inovector/mixpost, src/Http/Resources/PostResource.php, AccountResource.php and MediaResource.php.
 */
export function readMixpost(content: string): FileRow[] {
  const values = readValues(content, (page) => (isRecord(page) ? page['data'] : null)).filter(isRecord)
  const rows = values.flatMap(readPost)
  refuseTooMany(rows.length)
  return rows
}

function readPost(post: Source): FileRow[] {
  const id = post['uuid'] ?? post['id']
  const key = keyOf('mixpost', id, post)
  const state = stateIn(post['status'])
  if (state === null) return [{ key, refusal: `Mixpost has no status "${String(post['status'])}".` }]
  const versions = listIn(post['versions'])
  const accounts = listIn(post['accounts'])
  const own = new Map(
    versions.filter((version) => version['account_id']).map((version) => [String(version['account_id']), version]),
  )
  const original = versions.find((version) => version['is_original']) ?? versions.find((version) => !version['account_id'])
  const rowFor = (name: string, version: Source | undefined, those: readonly Source[]): FileRow => {
    const [first = { text: '', files: [] }, ...rest] = listIn(version?.['content']).map(readContent)
    const { type, fields } = filesOf(first.files)
    const thread = rest.map(({ text }) => ({ text })).filter(({ text }) => text !== '')
    return {
      key: name,
      content: {
        type,
        accounts: those.map(accountIn),
        state,
        fields: { text: first.text, ...fields, ...timeIn(post['scheduled_at']), ...(thread.length > 0 && { thread }) },
      },
    }
  }
  const common = accounts.filter((account) => !own.has(String(account['id'])))
  return [
    ...(common.length > 0 || own.size === 0 ? [rowFor(key, original, common)] : []),
    ...accounts.flatMap((account) => {
      const version = own.get(String(account['id']))
      return version ? [rowFor(`${key}/${String(account['id'])}`, version, [account])] : []
    }),
  ]
}

function stateIn(status: unknown): 'draft' | 'scheduled' | 'published' | null {
  const name = String(status).toUpperCase()
  if (name === 'DRAFT' || name === 'NEEDS_APPROVAL' || name === '0') return 'draft'
  if (name === 'SCHEDULED' || name === '1') return 'scheduled'
  return ['PUBLISHING', 'PUBLISHED', 'FAILED', '2', '3', '4'].includes(name) ? 'published' : null
}

function accountIn({ provider, username, name }: Source): string {
  return `${textIn(provider) ?? 'unknown'}/${textIn(username) ?? textIn(name) ?? ''}`
}

/** The schema of a post refuses what is no time. */
function timeIn(at: unknown): Record<string, unknown> {
  if (isRecord(at))
    return textIn(at['date']) && textIn(at['time']) ? { scheduledAt: `${String(at['date'])}T${String(at['time'])}` } : {}
  const text = textIn(at)
  return text === null ? {} : { scheduledAt: asUtc(text) }
}

function readContent(content: Source): Content {
  const files = listIn(content['media']).flatMap((file) => {
    const url = textIn(file['url'])
    return url ? [{ url, mimeType: textIn(file['mime_type']), alt: textIn(file['alt_text']) }] : []
  })
  return { text: readHtml(textIn(content['body']) ?? ''), files }
}

function listIn(value: unknown): Source[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
