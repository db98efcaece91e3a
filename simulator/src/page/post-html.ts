import type { LinkCard, Platform } from '../platform.ts'
import type { Post } from '../state/entities.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { replaceLinks } from '../text/links.ts'
import { markup, Markup } from '../text/markup.ts'
import { mediaHtml } from './media-html.ts'
import { timeHtml } from './time-html.ts'
import { visibilityLabel } from './visibility-label.ts'

export type PostOptions = {
  /** The page of this post: alternative texts are shown, and the time is no link to the page itself. */
  isWhole?: boolean
  /** The platform is named beside the post already. */
  isBelowPlatform?: boolean
  /** What the post is to the one above it. */
  role?: string
}

/** One post as a card. */
export function postHtml({ title: platformTitle, describe }: Platform, post: Post, options: PostOptions = {}): Markup {
  const { account, platform, url, atMs, deleted, media, request = {} } = post
  const { title, link, visibility } = describe(request)
  const path = URL.canParse(url) ? new URL(url).pathname : url
  const time = timeHtml(atMs)
  return markup`<article class="post platform-${platform} ${deleted && 'deleted'}">
<header>
<img class="avatar" src="${avatarPath(account.handle)}" alt="" width="40" height="40">
<div><a class="name" href="${accountPath(post)}">${account.handle}</a>
<span class="quiet">${options.isBelowPlatform !== true && `${platformTitle} · `}${options.isWhole ? time : markup`<a href="${path}">${time}</a>`}</span></div>
<div class="tags">${options.role !== undefined && markup`<span class="tag">${options.role}</span>`}
${deleted && markup`<span class="tag warning">Deleted</span>`}
${visibility !== undefined && markup`<span class="tag">${visibilityLabel(visibility)}</span>`}</div>
</header>
${title !== undefined && title !== '' && markup`<h3 class="title">${title}</h3>`}
${post.text !== '' && markup`<p class="text">${textHtml(post.text)}</p>`}
${mediaHtml(platform, media, { showAlt: options.isWhole === true })}
${link && linkHtml(link)}
${figuresHtml(post)}
</article>`
}

export function avatarPath(handle: string): string {
  return `/avatar/${encodeURIComponent(handle)}.png`
}

export function accountPath({ platform, account }: Pick<Post, 'platform' | 'account'>): string {
  return `/feed/${platform}/${encodeURIComponent(account.handle)}`
}

/** `replaceLinks` finds links in text that is escaped already, so this is the one place that makes markup of a string. */
function textHtml(text: string): Markup {
  return new Markup(replaceLinks(escapeHtml(text), (url) => `<a href="${url}" rel="nofollow noopener noreferrer">${url}</a>`))
}

function linkHtml({ url, title, description }: LinkCard): Markup {
  const inside = markup`<span class="host">${hostOf(url)}</span>
<b>${title ?? url}</b>${description !== undefined && description !== '' && markup`<span class="quiet">${description}</span>`}`
  // Any other scheme, such as javascript:, must not be followed.
  if (!/^https?:\/\//i.test(url)) return markup`<div class="link">${inside}</div>`
  return markup`<a class="link" href="${url}" rel="nofollow noopener noreferrer">${inside}</a>`
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

function figuresHtml({ figures = {} }: Post): Markup | undefined {
  const entries = Object.entries(figures).filter(([, count]) => count > 0)
  if (entries.length === 0) return undefined
  return markup`<p class="figures">${entries.map(([name, count]) => markup`<span><b>${count}</b> ${name}</span>`)}</p>`
}
