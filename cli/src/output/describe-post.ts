import type { Channel, Post } from '@carillon/sdk'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { cleanText } from './clean-text.ts'
import { paint, printTable, type Cell, type Color } from './print-table.ts'
import { writeTime } from './times.ts'

type PostStatus = Post['status']
type ChannelStatus = Channel['result']['status']
type Look = Pick<Terminal, 'hasColor' | 'columns'>

const colorOfPost: Readonly<Record<PostStatus, Color>> = {
  draft: 'dim',
  scheduled: 'yellow',
  queued: 'yellow',
  publishing: 'yellow',
  completed: 'green',
  partial_failure: 'red',
  failed: 'red',
}
const colorOfChannel: Readonly<Record<ChannelStatus, Color>> = {
  pending: 'yellow',
  publishing: 'yellow',
  success: 'green',
  failed: 'red',
  unconfirmed: 'red',
  canceled: 'dim',
}

/** The rows of a list of posts. */
export function listPosts(posts: readonly Post[], look: Look): string {
  if (posts.length === 0) return 'No posts.'
  const rows = posts.map((post): Cell[] => [
    post.uploadId,
    { text: post.status, color: colorOfPost[post.status] },
    writeTime(post.scheduledAt ?? post.publishedAt ?? post.createdAt, post.timezone),
    accountsOf(post),
    cleanText(post.title || post.text || ''),
  ])
  return printTable(['ID', 'STATUS', 'TIME', 'ACCOUNTS', 'TEXT'], rows, look)
}

function accountsOf({ channels }: Post): string {
  const [first, ...others] = channels
  if (first === undefined) return '-'
  return others.length === 0 ? cleanText(first.connection) : `${cleanText(first.connection)} +${others.length}`
}

/** One post: its state in a sentence, and what became of it on each account. */
export function describePost(post: Post, look: Look, { hasText = false } = {}): string {
  const { channels, warnings, uploadId, status } = post
  const rows = channels.map(({ connection, result }): Cell[] => [
    cleanText(connection),
    { text: result.status, color: colorOfChannel[result.status] },
    explain(result, post.timezone),
  ])
  return [
    `${uploadId}  ${paint(status, colorOfPost[status], look.hasColor)}  ${timeOf(post)}`,
    ...(hasText ? ['', cleanText([post.title, post.text].filter(Boolean).join('\n\n'), { hasLines: true }), ''] : []),
    ...(rows.length === 0 ? [] : [printTable(['ACCOUNT', 'STATUS', 'RESULT'], rows, { ...look, columns: null })]),
    ...warnings.map((warning) => `Note: ${cleanText(warning)}`),
  ].join('\n')
}

function timeOf({ status, scheduledAt, timezone, publishedAt, createdAt }: Post): string {
  const zone = timezone === null ? '' : ` (${timezone})`
  if (status === 'scheduled' && scheduledAt !== null) return `for ${writeTime(scheduledAt, timezone)}${zone}`
  if (status === 'draft' && scheduledAt !== null)
    return `planned for ${writeTime(scheduledAt, timezone)}${zone}; nothing is scheduled`
  if (publishedAt !== null) return `published ${writeTime(publishedAt, timezone)}${zone}`
  return `created ${writeTime(createdAt, timezone)}${zone}`
}

function explain({ status, postUrl, error, waiting, warnings }: Channel['result'], timezone: string | null): string {
  const notes = warnings.map((warning) => cleanText(warning))
  if (error !== null) return [cleanText(`${error.message} (${error.code})`), ...notes].join(' ')
  if (status === 'unconfirmed')
    return ['It may be published, the answer was lost. Look at the account, and set the outcome in the web app.', ...notes].join(
      ' ',
    )
  if (waiting !== null && waiting !== undefined)
    return `waits: ${waiting.reason}${waiting.until === null ? '' : ` until ${writeTime(waiting.until, timezone)}`}`
  return [cleanText(postUrl ?? ''), ...notes].join(' ').trim()
}

/** The exit code for what became of a post. A channel that is not finished is no failure. */
export function exitCodeOf({ channels }: Pick<Post, 'channels'>): ExitCode {
  const isBad = channels.some(({ result }) => ['failed', 'unconfirmed', 'canceled'].includes(result.status))
  return isBad ? exitCodes.notPublished : exitCodes.ok
}
