import type { ServerResponse } from 'node:http'
import type { Call } from '../http/call.ts'
import { createRouter, type Method } from '../http/create-router.ts'
import { html, type Reply } from '../http/reply.ts'
import { send } from '../http/send.ts'
import type { Platform } from '../platform.ts'
import type { SimulatorState } from '../state/simulator-state.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { avatarSvg } from './avatar-svg.ts'
import { columnHtml } from './column-html.ts'
import { layout } from './layout.ts'
import { postHtml } from './post-html.ts'

type Page = { method: Method; path: string; answer: (call: Call) => Reply | undefined }

// The server renders the feed and the page replaces it, so that posts are formatted and escaped in one place.
const refresh = `<script>
const feed = document.querySelector('#feed')
let shown = ''
setInterval(async () => {
  if (document.hidden) return
  const response = await fetch(location.pathname + '?part=1').catch(() => undefined)
  if (!response?.ok) return
  const next = await response.text()
  if (next === shown) return
  if (shown !== '' || next !== feed.innerHTML) feed.innerHTML = next
  shown = next
}, 2000)
</script>`

/** The pages for people: the feed, an account, a post, and their media. Returns whether the path belongs to one of these pages. */
export function createPages(
  simulator: SimulatorState,
  platforms: readonly Platform[],
): (call: Call, response: ServerResponse) => boolean {
  const byName = new Map(platforms.map((platform) => [platform.context.name, platform]))
  const pages: Page[] = [
    {
      method: 'GET',
      path: '/',
      answer: (call) => feedPage(call, 'Carillon simulator', platforms.map((platform) => columnHtml(platform)).join('')),
    },
    {
      method: 'GET',
      path: '/feed/:platform/:handle',
      answer(call) {
        const { platform: name = '', handle = '' } = call.params
        const platform = byName.get(name)
        return platform && feedPage(call, `${handle} on ${platform.title}`, columnHtml(platform, handle), 'single')
      },
    },
    {
      method: 'GET',
      path: '/avatar/:handle.svg',
      answer: ({ params }) => picture('image/svg+xml', avatarSvg(params['handle'] ?? '')),
    },
    {
      method: 'GET',
      path: '/media/:platform/:id',
      answer({ params }) {
        const media = simulator.media.find(params['platform'] ?? '', params['id'] ?? '')
        return media?.bytes && picture(media.mime, media.bytes)
      },
    },
    ...platforms.flatMap(postPages),
  ]
  const match = createRouter(pages)

  return (call, response) => {
    const found = call.method === 'GET' ? match('GET', call.path) : undefined
    if (!found) return false
    call.params = found.params
    send(response, found.route.answer(call) ?? html(404, layout('Not found', '<p class="empty">There is nothing here.</p>')))
    return true
  }
}

function postPages(platform: Platform): Page[] {
  return platform.pages.map(({ path, find }) => ({
    method: 'GET',
    path: `/${platform.context.name}${path}`,
    answer(call) {
      const post = find(call.params)
      if (!post || post.deleted) return undefined
      const replies = new Map([[post.id, post.account.posts.filter(({ replyTo, deleted }) => replyTo === post.id && !deleted)]])
      const title = `${post.account.handle} on ${platform.title}`
      const columnTitle = `<h2>${escapeHtml(platform.title)}</h2>`
      const column = `<section class="column" style="--platform:${platform.colour}">${columnTitle}${postHtml(post, replies)}</section>`
      return html(200, layout(title, `${heading(title)}<main id="feed" class="single">${column}</main>`))
    },
  }))
}

function feedPage(call: Call, title: string, columns: string, style = ''): Reply {
  if (call.query.get('part') === '1') return html(200, columns)
  return html(200, layout(title, `${heading(title)}<main id="feed" class="${style}">${columns}</main>${refresh}`))
}

function heading(title: string): string {
  return `<header class="top"><h1><a href="/">${escapeHtml(title)}</a></h1>
<p>simulated platforms for tests: nothing is published on the real ones</p></header>`
}

/** Uploads are untrusted: the browser may display them, but not run scripts in them or guess another type. */
function picture(mime: string, body: string | Buffer): Reply {
  return {
    status: 200,
    headers: {
      'content-type': mime,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    },
    body,
  }
}
