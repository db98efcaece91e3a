import type { Account, Media, Post } from '../../state/entities.ts'
import { followersOf } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { escapeHtml } from '../../text/escape-html.ts'
import { replaceLinks } from '../../text/links.ts'

export type Status = Post & {
  visibility: string
  spoiler: string
  sensitive: boolean
  language: string | null
  repliesCount: number
}

export function viewAccount(context: PlatformContext, account: Account) {
  const { id, handle, createdAtMs, posts } = account
  return {
    id,
    username: handle,
    acct: handle,
    display_name: handle,
    locked: false,
    bot: false,
    created_at: new Date(createdAtMs).toISOString(),
    note: '',
    url: `${context.origin}/@${handle}`,
    uri: `${context.origin}/users/${handle}`,
    avatar: context.avatarUrlOf(handle),
    avatar_static: context.avatarUrlOf(handle),
    header: `${context.origin}/headers/original/missing.png`,
    header_static: `${context.origin}/headers/original/missing.png`,
    group: false,
    discoverable: true,
    indexable: false,
    noindex: false,
    hide_collections: false,
    roles: [],
    last_status_at: dayOf(posts.at(-1)?.atMs),
    followers_count: followersOf(account),
    following_count: 0,
    statuses_count: posts.length,
    emojis: [],
    fields: [],
  }
}

function dayOf(atMs: number | undefined): string | null {
  return atMs === undefined ? null : new Date(atMs).toISOString().slice(0, 10)
}

export function viewMedia(context: PlatformContext, { id, mime, alt }: Media, isReady = true) {
  const url = `${context.simulator.url}/media/${context.name}/${id}`
  const type = mime.startsWith('video/') ? 'video' : mime.startsWith('audio/') ? 'audio' : 'image'
  return {
    id,
    type,
    url: isReady ? url : null,
    preview_url: url,
    remote_url: null,
    meta: {},
    description: alt === '' ? null : alt,
    blurhash: null,
  }
}

export function viewStatus(context: PlatformContext, status: Status, parent: Status | undefined) {
  return {
    id: status.id,
    created_at: new Date(status.atMs).toISOString(),
    in_reply_to_id: status.replyTo,
    in_reply_to_account_id: parent?.account.id ?? null,
    sensitive: status.sensitive,
    spoiler_text: status.spoiler,
    visibility: status.visibility,
    // Without a choice it is that of the account, or of the server.
    language: status.language ?? 'en',
    uri: `${context.origin}/users/${status.account.handle}/statuses/${status.id}`,
    url: status.url,
    replies_count: status.figures?.comments ?? status.repliesCount,
    reblogs_count: status.figures?.shares ?? 0,
    favourites_count: status.figures?.likes ?? 0,
    quotes_count: 0,
    edited_at: null,
    content: contentOf(status.text),
    reblog: null,
    account: viewAccount(context, status.account),
    media_attachments: status.media.map((media) => viewMedia(context, media)),
    mentions: [],
    tags: [],
    emojis: [],
    card: null,
    poll: null,
    favourited: false,
    reblogged: false,
    muted: false,
    bookmarked: false,
    pinned: false,
    filtered: [],
  }
}

function contentOf(text: string): string {
  const escaped = escapeHtml(text)
  const linked = escaped.includes('://')
    ? replaceLinks(escaped, (url) => `<a href="${url}" rel="nofollow noopener" target="_blank">${url}</a>`)
    : escaped
  return `<p>${linked.replaceAll('\n\n', '</p><p>').replaceAll('\n', '<br>')}</p>`
}
