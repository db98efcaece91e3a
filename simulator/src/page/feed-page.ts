import type { Call } from '../http/call.ts'
import { html, type Reply } from '../http/reply.ts'
import type { Platform } from '../platform.ts'
import type { Account, Post } from '../state/entities.ts'
import { markup, type Markup } from '../text/markup.ts'
import { page, type PageOptions } from './layout.ts'
import { accountPath, avatarPath, postHtml } from './post-html.ts'

const previewMax = 5
const shownMax = 60
const accountsMax = 24

type Frame = Pick<PageOptions, 'activeFaults' | 'notice'>

/** The newest posts of every platform, side by side. */
export function overviewPage(call: Call, platforms: readonly Platform[], frame: Frame): Reply {
  const feeds = platforms.map((platform) => ({ platform, ...newestOf(platform, previewMax) }))
  const used = feeds.filter(({ posts }) => posts.length > 0)
  const columns = used.map(({ platform, posts, isMore }) => columnHtml(platform, posts, isMore))
  const part = used.length === 0 ? emptyHtml() : markup`<div class="columns">${columns}</div>`
  return feedPage(call, { title: 'Feed', current: 'feed', ...frame }, { head: platformsHtml(platforms), part })
}

/** The posts of one platform, with its accounts. */
export function platformPage(call: Call, platform: Platform, frame: Frame): Reply {
  const { posts } = newestOf(platform, shownMax)
  const head = markup`<p class="crumbs"><a href="/">Feed</a> › ${platform.title}</p>
<h1 class="platform-${platform.context.name}">${platform.title}</h1>${accountsHtml(platform)}`
  return feedPage(call, { title: platform.title, current: 'feed', ...frame }, { head, part: listHtml(platform, posts) })
}

/** The posts of one account. */
export function accountPage(call: Call, platform: Platform, account: Account, frame: Frame): Reply {
  const { handle, id } = account
  const { name } = platform.context
  const posts = account.posts.slice(-shownMax).toReversed()
  const head = markup`<p class="crumbs"><a href="/">Feed</a> › <a href="/feed/${name}">${platform.title}</a> › ${handle}</p>
<div class="profile platform-${name}"><img class="avatar" src="${avatarPath(handle)}" alt="" width="72" height="72">
<div><h1>${handle}</h1><p class="quiet">${platform.title} · ${counted(account.posts.length, 'post')} · <code>${id}</code></p>
<p><a href="/faults?platform=${name}&amp;handle=${encodeURIComponent(handle)}">Let calls of this account fail</a></p></div></div>`
  const title = `${handle} on ${platform.title}`
  return feedPage(call, { title, current: 'feed', ...frame }, { head, part: listHtml(platform, posts) })
}

/** With `?part=1` only the part that changes. The server renders it and the page replaces it, so posts are formatted in one place. */
function feedPage(call: Call, options: Omit<PageOptions, 'body'>, { head, part }: { head: Markup; part: Markup }): Reply {
  if (call.query.get('part') === '1') return html(200, part.toString())
  return page({ ...options, body: markup`<main class="feed">${head}<div id="feed" aria-live="polite">${part}</div></main>` })
}

function columnHtml(platform: Platform, posts: readonly Post[], isMore: boolean): Markup {
  const { name } = platform.context
  return markup`<section class="column platform-${name}"><h2><a href="/feed/${name}">${platform.title}</a></h2>
${threaded(platform, posts)}${isMore && markup`<p><a href="/feed/${name}">All posts on ${platform.title}</a></p>`}</section>`
}

function listHtml(platform: Platform, posts: readonly Post[]): Markup {
  return posts.length === 0 ? emptyHtml() : markup`<div class="list">${threaded(platform, posts)}</div>`
}

function emptyHtml(): Markup {
  return markup`<div class="empty"><h2>Nothing published yet</h2>
<p>Publish a post to a simulated account, and it appears here within two seconds.</p></div>`
}

function platformsHtml(platforms: readonly Platform[]): Markup {
  const links = platforms.map(({ title, context: { name, accounts } }) => {
    const count = accounts.all().length
    return markup`<a class="chip platform-${name}" href="/feed/${name}">${title} <small>${counted(count, 'account')}</small></a>`
  })
  return markup`<h1 class="hidden">Feed of all platforms</h1><nav class="chips" aria-label="Platforms">${links}</nav>`
}

function accountsHtml({ context: { name, accounts } }: Platform): Markup {
  const all = accounts.all()
  const links = all.slice(0, accountsMax).map((account) => {
    const picture = markup`<img class="avatar" src="${avatarPath(account.handle)}" alt="" width="24" height="24">`
    return markup`<a class="chip" href="${accountPath({ platform: name, account })}">${picture} ${account.handle}</a>`
  })
  const rest = all.length > accountsMax && markup`<span class="chip quiet">and ${all.length - accountsMax} more</span>`
  return markup`<nav class="chips" aria-label="Accounts">${links}${rest}</nav>`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Searches from the end, so that a feed of millions of posts costs no more than a short one. */
function newestOf({ context: { name, simulator } }: Platform, max: number): { posts: Post[]; isMore: boolean } {
  const all = simulator.posts.all()
  const posts: Post[] = []
  for (let at = all.length - 1; at >= 0; at--) {
    const post = all[at]
    if (post?.platform !== name) continue
    if (posts.length === max) return { posts, isMore: true }
    posts.push(post)
  }
  return { posts, isMore: false }
}

/** Replies are shown below the post they belong to, if it is in the list. */
function threaded(platform: Platform, posts: readonly Post[]): Markup[] {
  const shown = new Set(posts.map(({ id }) => id))
  const repliesTo = new Map<string, Post[]>()
  const roots: Post[] = []
  for (const post of posts) {
    const { replyTo } = post
    if (replyTo === null || !shown.has(replyTo)) roots.push(post)
    // Posts come newest first, but a conversation is shown oldest first.
    else repliesTo.set(replyTo, [post, ...(repliesTo.get(replyTo) ?? [])])
  }
  const render = (post: Post, depth: number): Markup => {
    const replies = repliesTo.get(post.id) ?? []
    const nested = replies.length > 0 && markup`<div class="replies">${replies.map((reply) => render(reply, depth + 1))}</div>`
    return markup`${postHtml(platform, post, { isBelowPlatform: true, ...(depth > 0 && { role: 'Reply' }) })}${nested}`
  }
  return roots.map((post) => render(post, 0))
}
