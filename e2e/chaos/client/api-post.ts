import { fieldsOf, listOf, textOf } from './json.ts'

/** A post as the API returns it. */
export type ApiPost = {
  id: string
  requestId: string
  status: string
  text: string
  scheduledAtMs: number | null
  channels: ApiChannel[]
}

export type ApiChannel = {
  id: string
  platform: string
  connection: string
  status: string
  errorCode: string | null
  attempts: number
  /** The platform's id of the post. */
  postId: string | null
  warnings: string[]
  lateMs: number | null
  /** The posts of a thread. None if it is no thread. */
  parts: ApiPart[]
}

export type ApiPart = Pick<ApiChannel, 'status' | 'postId' | 'errorCode'>

export function parsePost(value: unknown): ApiPost {
  const post = fieldsOf(value)
  const scheduledAt = textOf(post['scheduledAt'])
  return {
    id: textOf(post['uploadId']) ?? '',
    requestId: textOf(post['requestId']) ?? '',
    status: textOf(post['status']) ?? '',
    text: textOf(post['text']) ?? '',
    scheduledAtMs: scheduledAt === null ? null : Date.parse(scheduledAt),
    channels: listOf(post['channels']).map(parseChannel),
  }
}

function parseChannel(value: unknown): ApiChannel {
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
    postId: textOf(result['postId']),
    warnings: listOf(result['warnings']).map(String),
    lateMs: typeof delayMs === 'number' ? delayMs : null,
    parts: listOf(result['parts']).map(parsePart),
  }
}

function parsePart(value: unknown): ApiPart {
  const part = fieldsOf(value)
  return {
    status: textOf(part['status']) ?? '',
    postId: textOf(part['postId']),
    errorCode: textOf(fieldsOf(part['error'])['code']),
  }
}

/** Whether all of its channels have ended. The service sends an event about that. */
export function isFinal({ status }: ApiPost): boolean {
  return status === 'completed' || status === 'partial_failure' || status === 'failed'
}

/** Whether it will not change any more without a request, for as long as a run lasts. */
export function isAtRest(post: ApiPost): boolean {
  return isFinal(post) || post.status === 'draft' || isFarAway(post)
}

const hourMs = 3_600_000

function isFarAway({ status, scheduledAtMs }: ApiPost): boolean {
  return status === 'scheduled' && scheduledAtMs !== null && scheduledAtMs > Date.now() + hourMs
}
