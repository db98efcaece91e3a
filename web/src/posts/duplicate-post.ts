import type { Post } from '@carillon/sdk'
import { carillon } from '../api/client.ts'

/** Stores a copy of a post as a draft without a time, and returns its id. */
export async function duplicatePost(post: Post, workspaceId: string): Promise<string> {
  const { type, text, title, firstComment, thread, linkUrl, medias, channels, platformOptions, labels } = post
  const common = {
    connections: channels.map(({ connection }) => connection),
    saveDraft: true,
    platformOptions,
    ...(text !== null && { text }),
    ...(title !== null && { title }),
    ...(firstComment !== null && { firstComment }),
    ...(thread && { thread }),
    ...(linkUrl !== null && { linkUrl }),
    ...(labels && { labels }),
  }
  const files = {
    medias: medias.map(({ id, url }) => id ?? url),
    mediaOptions: medias.map(({ alt }) => (alt === '' ? {} : { alt })),
  }
  const options = { workspaceId }
  const { content } = carillon
  const created =
    type === 'text'
      ? await content.createText(common, options)
      : type === 'photo'
        ? await content.createPhotos({ ...common, ...files }, options)
        : type === 'video'
          ? await content.createVideo({ ...common, ...files }, options)
          : await content.createDocument({ ...common, ...files }, options)
  if (!('draftId' in created)) throw new Error('the copy was not stored as a draft')
  return created.draftId
}
