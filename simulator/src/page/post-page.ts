import type { Reply } from '../http/reply.ts'
import type { Platform } from '../platform.ts'
import type { Account, Post } from '../state/entities.ts'
import type { Submit } from '../state/submits.ts'
import { markup, type Insert, type Markup } from '../text/markup.ts'
import { page, type PageOptions } from './layout.ts'
import { listOptions } from './list-options.ts'
import { accountPath, postHtml } from './post-html.ts'
import { timeHtml } from './time-html.ts'
import { visibilityLabel } from './visibility-label.ts'

type Frame = Pick<PageOptions, 'activeFaults' | 'notice'>

/** The page of one post, with everything that arrived with it. A deleted post has a page too, which says that it was deleted. */
export function postPage(platform: Platform, post: Post, frame: Frame): Reply {
  const replies = repliesTo(platform, post)
  const title = `${post.account.handle} on ${platform.title}`
  const deleted = markup`<p class="notice" role="status">This post was deleted. On the real platform its address would lead nowhere.</p>`
  const body = markup`<main class="post-page">
<p class="crumbs"><a href="/">Feed</a> › <a href="/feed/${post.platform}">${platform.title}</a> ›
<a href="${accountPath(post)}">${post.account.handle}</a></p>
<h1 class="hidden">Post of ${title}</h1>
<div class="main">
${post.deleted && deleted}
${postHtml(platform, post, { isWhole: true })}
${replies.length > 0 && markup`<section class="replies" aria-label="Comments">${replies.map((reply) => replyHtml(platform, reply, post))}</section>`}
</div>
<aside>${factsHtml(platform, post)}${optionsHtml(platform, post)}${callsHtml(platform, post)}</aside>
</main>`
  return page({ title, body, status: post.deleted ? 410 : 200, current: 'feed', ...frame })
}

/** The page for the address of a post that is not there. */
export function missingPostPage({ title }: Platform, frame: Frame): Reply {
  const body = markup`<main class="narrow"><h1>There is no such post on ${title}</h1>
<p>No post with this id was ever published here, or the simulator was started again without its data. <code>pnpm dev</code> keeps them;
test stacks begin empty every time.</p><p><a class="button" href="/">Open the feed</a></p></main>`
  return page({ title: 'No such post', body, status: 404, current: 'feed', ...frame })
}

function repliesTo(platform: Platform, { id }: Post): Post[] {
  return platform.context.simulator.posts.all().filter((post) => post.platform === platform.context.name && post.replyTo === id)
}

/** The first comment is the oldest one by the author of the post. */
function replyHtml(platform: Platform, reply: Post, post: Post): Markup {
  const first = repliesTo(platform, post).find(({ account }) => account === post.account)
  return postHtml(platform, reply, { role: reply === first ? 'First comment' : 'Reply' })
}

type Fact = { label: string; value: Insert; name?: string }

function factsHtml(platform: Platform, post: Post): Markup {
  const { title, visibility } = platform.describe(post.request ?? {})
  const facts: Fact[] = [
    { label: 'Platform', value: platform.title },
    { label: 'Account', value: accountHtml(post.account) },
    { label: 'Published', value: timeHtml(post.atMs) },
    ...(title === undefined ? [] : [{ label: 'Title', value: title }]),
    ...(visibility === undefined
      ? []
      : [{ label: 'Visible to', value: markup`${visibilityLabel(visibility)} <code>${visibility}</code>` }]),
    ...(post.replyTo === null ? [] : [{ label: 'Reply to', value: markup`<code>${post.replyTo}</code>` }]),
    { label: 'Id', value: markup`<code>${post.id}</code>` },
  ]
  const target = `/faults?platform=${post.platform}&handle=${encodeURIComponent(post.account.handle)}`
  return markup`<section class="panel"><h2>Post</h2>${factListHtml(facts)}
<p><a href="${target}">Let calls of this account fail</a></p></section>`
}

function accountHtml({ handle, platform, id }: Account): Markup {
  return markup`<a href="/feed/${platform}/${encodeURIComponent(handle)}">${handle}</a> <code>${id}</code>`
}

function optionsHtml({ describe }: Platform, { request }: Post): Markup {
  const options = request === undefined ? [] : listOptions(request, describe(request).hidden)
  const facts = options.map(({ label, value, name }) => ({ label, value, name }))
  const none = 'The call named no options beside text and media.'
  return markup`<section class="panel"><h2>Options that arrived</h2>
${facts.length === 0 ? markup`<p class="quiet">${none}</p>` : factListHtml(facts, 'options')}</section>`
}

function factListHtml(facts: readonly Fact[], style = 'facts'): Markup {
  const rows = facts.map(
    ({ label, value, name }) =>
      markup`<div><dt>${label}${name !== undefined && markup` <code title="${name}">${name.split('.').at(-1)}</code>`}</dt><dd>${value}</dd></div>`,
  )
  return markup`<dl class="${style}">${rows}</dl>`
}

const outcomes: Record<Submit['outcome'], string> = {
  created: 'Published, and the caller received the answer',
  dropped_after: 'Published, but the caller received no usable answer',
  repeated: 'Recognised as a repeat; nothing was added',
  refused: 'Refused',
  dropped_before: 'Not carried out',
}

/** Every call that asked for this post: the one that made it, and repeats with the same key. */
function callsHtml({ context }: Platform, { id, account }: Post): Markup | undefined {
  const all = context.simulator.submits.all().filter((submit) => submit.platform === context.name)
  const key = all.find(({ postId }) => postId === id)?.key ?? null
  const isSame = (submit: Submit) =>
    submit.postId === id || (key !== null && submit.key === key && submit.account === account.handle)
  const calls = all.filter(isSame)
  if (calls.length === 0) return undefined
  const rows = calls.map(
    ({ atMs, operation, outcome, fault }) =>
      markup`<li>${timeHtml(atMs)} <code>${operation}</code><br>${outcomes[outcome]}${fault !== null && ` (fault: ${fault})`}</li>`,
  )
  const keyLine = key !== null && markup`<p class="quiet">Key that recognises a repeat: <code>${key}</code></p>`
  return markup`<section class="panel"><h2>Calls that asked for it</h2><ol class="calls">${rows}</ol>${keyLine}</section>`
}
