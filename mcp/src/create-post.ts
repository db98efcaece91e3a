import { createHash } from 'node:crypto'
import type { Accepted, Carillon } from '@carillon/sdk'
import type { PostBody } from './post-input.ts'

export type NewPost = PostBody & { saveDraft?: boolean }

/** Creates a post with the endpoint of its type. The key makes a repeated call get the first post. */
export function createPost(content: Carillon['content'], { type, ...body }: NewPost, idempotencyKey: string): Promise<Accepted> {
  const options = { idempotencyKey }
  if (type === 'text') {
    const { medias: _medias, mediaOptions: _mediaOptions, ...text } = body
    return content.createText(text, options)
  }
  if (type === 'video') return content.createVideo(body, options)
  if (type === 'document') return content.createDocument(body, options)
  return content.createPhotos(body, options)
}

/** A key that depends on what is asked for and on nothing else, so that the same call has the same key in any process. */
export function keyOf(what: string, request: unknown): string {
  return `mcp-${createHash('sha256')
    .update(`${what}\n${stableJson(request)}`)
    .digest('hex')}`
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
