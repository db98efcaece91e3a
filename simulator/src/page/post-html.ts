import type { Media, Post } from '../state/entities.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { replaceLinks } from '../text/links.ts'
import { colourOf, initialsOf } from './avatar-svg.ts'

/** One post, with those of the given posts that reply to it below. */
export function postHtml(post: Post, repliesTo: ReadonlyMap<string, readonly Post[]>): string {
  const { account, platform, url, atMs, deleted, media } = post
  const handle = escapeHtml(account.handle)
  const replies = repliesTo.get(post.id) ?? []
  const nested = replies.map((reply) => postHtml(reply, repliesTo)).join('')
  const timestamp = new Date(atMs).toISOString()
  const mediaList = media.map((one) => mediaHtml(platform, one)).join('')
  return `<article class="post${deleted ? ' deleted' : ''}">
<header><span class="avatar" style="background:${colourOf(account.handle)}">${escapeHtml(initialsOf(account.handle))}</span>
<b><a href="/feed/${platform}/${encodeURIComponent(account.handle)}">${handle}</a></b>${deleted ? '<span class="tag">deleted</span>' : ''}
<time datetime="${timestamp}" title="${timestamp}"><a href="${escapeHtml(url)}">${timestamp.slice(11, 19)}</a></time></header>
<p class="text">${textHtml(post.text)}</p>${media.length > 0 ? `<div class="media">${mediaList}</div>` : ''}
</article>${nested === '' ? '' : `<div class="replies">${nested}</div>`}`
}

function textHtml(text: string): string {
  return replaceLinks(escapeHtml(text), (url) => `<a href="${url}" rel="nofollow noopener"><u>${url}</u></a>`)
}

function mediaHtml(platform: string, { id, mime, alt, bytes }: Media): string {
  const source = `/media/${platform}/${encodeURIComponent(id)}`
  const label = escapeHtml(alt)
  if (!bytes || !/^(?:image|video)\//.test(mime)) return `<div class="file" title="${label}">${escapeHtml(mime)}</div>`
  if (mime.startsWith('video/')) return `<video src="${source}" controls muted preload="metadata" aria-label="${label}"></video>`
  return `<img src="${source}" alt="${label}" title="${label}" loading="lazy">`
}
