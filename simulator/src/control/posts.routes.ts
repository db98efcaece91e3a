import { textsOf } from '../http/fields.ts'
import { json } from '../http/reply.ts'
import { listOptions } from '../page/list-options.ts'
import type { Post } from '../state/entities.ts'
import type { ControlContext, ControlRoute } from './control-route.ts'
import { bodyOf, loadPlatform } from './load-account.ts'
import { viewPost } from './post-view.ts'

type Repeat = { platform: string; handle: string; text: string; count: number }

export function postRoutes(control: ControlContext): ControlRoute[] {
  const { simulator, platforms } = control
  return [
    {
      method: 'GET',
      path: '/posts',
      answer({ query }) {
        const platform = query.get('platform')
        const handle = query.get('handle')
        const text = query.get('text')
        const limit = Number(query.get('limit') ?? Infinity)
        const wanted = simulator.posts
          .all()
          .filter(
            (post) =>
              (platform === null || post.platform === platform) &&
              (handle === null || post.account.handle === handle) &&
              (text === null || post.text === text),
          )
        const view = (post: Post) => {
          const { link, hidden = [] } = platforms.get(post.platform)?.describe(post.request ?? {}) ?? {}
          return viewPost(post, { link, options: listOptions(post.request ?? {}, hidden) })
        }
        return json(200, wanted.slice(Math.max(0, wanted.length - limit)).map(view))
      },
    },
    {
      method: 'GET',
      path: '/posts/summary',
      answer: ({ query }) => json(200, summarize(simulator.posts.all(), query.get('prefix') ?? '')),
    },
    {
      method: 'DELETE',
      path: '/posts',
      answer() {
        simulator.posts.clear()
        simulator.submits.clear()
        for (const { context } of platforms.values()) context.clearPosts()
        return json(200, { ok: true })
      },
    },
    {
      method: 'POST',
      path: '/count',
      answer(call) {
        const { platform, texts } = bodyOf(call)
        return json(200, { counts: textsOf(texts).map(loadPlatform(control, platform).countText) })
      },
    },
  ]
}

/** Counts texts that an account published twice, the failure chaos tests look for. Deleted posts count, because they were visible. */
function summarize(posts: readonly Post[], prefix: string) {
  const repeats = new Map<string, Repeat>()
  const texts = new Set<string>()
  let total = 0
  for (const { platform, account, text } of posts) {
    if (!text.startsWith(prefix)) continue
    total += 1
    texts.add(text)
    const key = `${platform}\n${account.handle}\n${text}`
    const repeat = repeats.get(key)
    if (repeat) repeat.count += 1
    else repeats.set(key, { platform, handle: account.handle, text, count: 1 })
  }
  return { total, distinctTexts: texts.size, duplicates: [...repeats.values()].filter(({ count }) => count > 1) }
}
