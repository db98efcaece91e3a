import { fieldsOf, listOf, textOf } from './json.ts'

/** A post as the API tells it. */
export type SeenPost = {
  id: string
  requestId: string
  status: string
  text: string
  scheduledAtMs: number | null
  channels: SeenChannel[]
}

export type SeenChannel = {
  id: string
  platform: string
  connection: string
  status: string
  errorCode: string | null
  attempts: number
  warnings: string[]
  lateMs: number | null
}

export function readPost(value: unknown): SeenPost {
  const post = fieldsOf(value)
  const scheduledAt = textOf(post['scheduledAt'])
  return {
    id: textOf(post['uploadId']) ?? '',
    requestId: textOf(post['requestId']) ?? '',
    status: textOf(post['status']) ?? '',
    text: textOf(post['text']) ?? '',
    scheduledAtMs: scheduledAt === null ? null : Date.parse(scheduledAt),
    channels: listOf(post['channels']).map(readChannel),
  }
}

function readChannel(value: unknown): SeenChannel {
  const channel = fieldsOf(value)
  const result = fieldsOf(channel['result'])
  const delayMs = fieldsOf(result['late'])['delayMs']
  return {
    id: textOf(channel['id']) ?? '',
    platform: textOf(channel['platform']) ?? '',
    connection: textOf(channel['connection']) ?? '',
    status: textOf(result['status']) ?? '',
    errorCode: textOf(fieldsOf(result['error'])['code']),
    attempts: Number(result['attempts'] ?? 0),
    warnings: listOf(result['warnings']).map(String),
    lateMs: typeof delayMs === 'number' ? delayMs : null,
  }
}

/** It has been sent as far as it will be; an event says so. */
export function isFinal({ status }: SeenPost): boolean {
  return status === 'completed' || status === 'partial_failure' || status === 'failed'
}

/** Nothing more will happen to it by itself. */
export function isAtRest(post: SeenPost): boolean {
  return isFinal(post) || post.status === 'draft'
}
