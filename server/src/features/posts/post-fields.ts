import type { ConnectionOptions, ContentFormat, NewTextPost, PostType } from '@carillon/contract'
import type { PostRow } from './post.store.ts'

/** The content of a post, whether it comes from a request or from the database. */
export type PostFields = {
  type: PostType
  contentFormat: ContentFormat | null
  text: string | null
  title: string | null
  firstComment: string | null
  linkUrl: string | null
  platformOptions: Record<string, ConnectionOptions>
}

/** The content for one connection: its own fields where it has any, the common ones otherwise, and the platform's settings. */
export type ChannelFields = Omit<PostFields, 'platformOptions' | 'contentFormat'> & {
  contentFormat: ContentFormat
  settings: Record<string, unknown>
}

const defaultFormat: Readonly<Record<PostType, ContentFormat>> = {
  text: 'text',
  photo: 'photo',
  video: 'video',
  document: 'document',
}

export function fieldsFromBody(type: PostType, body: Omit<NewTextPost, 'connections'>): PostFields {
  return {
    type,
    contentFormat: body.contentFormat ?? null,
    text: body.text ?? null,
    title: body.title ?? null,
    firstComment: commentText(body.firstComment),
    linkUrl: body.linkUrl ?? null,
    platformOptions: body.platformOptions ?? {},
  }
}

/** The columns of a post that hold its content. */
export type PostContent = Pick<
  PostRow,
  'type' | 'content_format' | 'text' | 'title' | 'first_comment' | 'link_url' | 'platform_options'
>

export function fieldsFromRow(row: PostContent): PostFields {
  return {
    type: row.type,
    contentFormat: row.content_format as ContentFormat | null,
    text: row.text,
    title: row.title,
    firstComment: row.first_comment,
    linkUrl: row.link_url,
    platformOptions: row.platform_options,
  }
}

export function fieldsForChannel(post: PostFields, slug: string): ChannelFields {
  const { text, title, firstComment, linkUrl, contentFormat, medias: _medias, ...settings } = post.platformOptions[slug] ?? {}
  return {
    type: post.type,
    contentFormat: contentFormat ?? post.contentFormat ?? defaultFormat[post.type],
    text: text ?? post.text,
    title: title ?? post.title,
    firstComment: commentText(firstComment) ?? post.firstComment,
    linkUrl: linkUrl ?? post.linkUrl,
    settings,
  }
}

/** A comment may be given as `"First!"` or as `{ text: "First!" }`. */
export function commentText(comment: NewTextPost['firstComment'] | null): string | null {
  if (comment === undefined || comment === null) return null
  return typeof comment === 'string' ? comment : comment.text
}
