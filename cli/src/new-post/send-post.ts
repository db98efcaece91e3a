import type { Accepted, Body, Carillon } from '@carillon/sdk'

export type NewPost = Body<'content.validate'>

/** Creates a post with the endpoint of its type. */
export function sendPost(content: Carillon['content'], { type, ...body }: NewPost, idempotencyKey: string): Promise<Accepted> {
  const options = { idempotencyKey }
  if (type === 'text') return content.createText(body, options)
  if (type === 'video') return content.createVideo(body, options)
  if (type === 'document') return content.createDocument(body, options)
  return content.createPhotos(body, options)
}
