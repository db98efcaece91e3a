import type { ConnectionOptions, ContentFormat, NewTextPost, PostType } from '@carillon/contract'
import { type LinkTags, tagDraft } from '@carillon/core'
import type { PostLinkTags } from '../../infra/db/tables.ts'
import type { PostRow } from './post.store.ts'
import type { Timing } from './schedule/resolve-time.ts'

/** A further post of a thread. */
type ThreadText = { text: string }

/** The content of a post, whether it comes from a request or from the database. */
export type PostFields = {
  type: PostType
  contentFormat: ContentFormat | null
  text: string | null
  title: string | null
  firstComment: string | null
  thread: ThreadText[] | null
  linkUrl: string | null
  aiGenerated: boolean
  platformOptions: Record<string, ConnectionOptions>
  /** What the links get for each account. All else here is as it was written. */
  linkTags: PostLinkTags | null
}

/** The content for one connection: its own fields where it has any, the common ones otherwise, and the platform's settings. */
export type ChannelFields = Omit<PostFields, 'platformOptions' | 'contentFormat' | 'linkTags'> & {
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
    thread: body.thread ?? null,
    linkUrl: body.linkUrl ?? null,
    aiGenerated: body.aiGenerated ?? false,
    platformOptions: body.platformOptions ?? {},
    linkTags: null,
  }
}

/** The columns of a post that hold its content. */
export type PostContent = Pick<
  PostRow,
  | 'type'
  | 'content_format'
  | 'text'
  | 'title'
  | 'first_comment'
  | 'thread'
  | 'link_url'
  | 'ai_generated'
  | 'platform_options'
  | 'link_tags'
>

export function fieldsFromRow(row: PostContent): PostFields {
  return {
    type: row.type,
    contentFormat: row.content_format as ContentFormat | null,
    text: row.text,
    title: row.title,
    firstComment: row.first_comment,
    thread: row.thread,
    linkUrl: row.link_url,
    aiGenerated: row.ai_generated,
    platformOptions: row.platform_options,
    linkTags: row.link_tags,
  }
}

/** The columns for the content of a post and its time. */
export function rowFromFields(fields: PostFields, time: Omit<Timing, 'isNow'>) {
  return {
    type: fields.type,
    content_format: fields.contentFormat,
    title: fields.title,
    text: fields.text,
    first_comment: fields.firstComment,
    thread: fields.thread && JSON.stringify(fields.thread),
    link_url: fields.linkUrl,
    ai_generated: fields.aiGenerated,
    platform_options: JSON.stringify(fields.platformOptions),
    link_tags: fields.linkTags && JSON.stringify(fields.linkTags),
    scheduled_at: time.at,
    scheduled_wall: time.wall,
    timezone: time.timezone,
  }
}

/** What an account is sent, with the parameters of its links. Checks, approvals and sending all read it here, so that they agree. */
export function fieldsForChannel(post: PostFields, slug: string): ChannelFields {
  return tagDraft(writtenForChannel(post, slug), tagsForChannel(post, slug))
}

export function tagsForChannel({ linkTags }: Pick<PostFields, 'linkTags'>, slug: string): LinkTags | null {
  const own = linkTags?.accounts[slug]
  return linkTags && own ? { ...own, domains: linkTags.domains } : null
}

/** The same as it was written. */
export function writtenForChannel(post: PostFields, slug: string): ChannelFields {
  const options = post.platformOptions[slug] ?? {}
  const { text, title, firstComment, thread, linkUrl, contentFormat, ...others } = options
  const { splitLongText: _split, medias: _medias, mediaOptions: _alts, ...settings } = others
  // Null leaves the common field out for this connection; an absent field does not.
  const pick = (own: string | null | undefined, common: string | null) => (own === undefined ? common : own)
  return {
    type: post.type,
    contentFormat: contentFormat ?? post.contentFormat ?? defaultFormat[post.type],
    text: pick(text, post.text),
    title: pick(title, post.title),
    firstComment: firstComment === undefined ? post.firstComment : commentText(firstComment),
    thread: thread === undefined ? post.thread : thread,
    linkUrl: pick(linkUrl, post.linkUrl),
    aiGenerated: post.aiGenerated,
    settings,
  }
}

/** Does the connection have files of its own, or alt texts of its own for the common files? Then its list of files is stored for it. */
export function hasOwnFiles(options: ConnectionOptions | undefined): boolean {
  return options?.medias !== undefined || options?.mediaOptions !== undefined
}

/** A comment may be given as `"First!"` or as `{ text: "First!" }`. */
export function commentText(comment: ConnectionOptions['firstComment']): string | null {
  if (comment === undefined || comment === null) return null
  return typeof comment === 'string' ? comment : comment.text
}
