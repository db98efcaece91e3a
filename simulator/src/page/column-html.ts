import type { Platform } from '../platform.ts'
import type { Post } from '../state/entities.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { postHtml } from './post-html.ts'

const shownMax = 60

/** The column of one platform, newest posts first. With `handle` it shows one account. */
export function columnHtml({ context, title, colour }: Platform, handle?: string): string {
  const account = handle === undefined ? undefined : context.accounts.find(handle)
  const posts =
    handle === undefined
      ? newestOf(context.simulator.posts.all(), context.name)
      : (account?.posts ?? []).slice(-shownMax).toReversed()
  const count = context.accounts.all().length
  const label = handle === undefined ? `${count} ${count === 1 ? 'account' : 'accounts'}` : escapeHtml(handle)
  const body = posts.length === 0 ? '<p class="empty">Nothing published yet.</p>' : threaded(posts)
  return `<section class="column" style="--platform:${colour}"><h2>${escapeHtml(title)}<span>${label}</span></h2>${body}</section>`
}

/** Searches from the end, so that a feed of millions of posts costs no more than a feed of sixty. */
function newestOf(all: readonly Post[], platform: string): Post[] {
  const found: Post[] = []
  for (let at = all.length - 1; at >= 0 && found.length < shownMax; at--) {
    const post = all[at]
    if (post?.platform === platform) found.push(post)
  }
  return found
}

function threaded(posts: readonly Post[]): string {
  const shown = new Set(posts.map(({ id }) => id))
  const repliesTo = new Map<string, Post[]>()
  const roots: Post[] = []
  for (const post of posts) {
    const { replyTo } = post
    if (replyTo === null || !shown.has(replyTo)) roots.push(post)
    // Posts come newest first, but a conversation is shown oldest first.
    else repliesTo.set(replyTo, [post, ...(repliesTo.get(replyTo) ?? [])])
  }
  return roots.map((post) => postHtml(post, repliesTo)).join('')
}
