import type { Call } from '../../http/call.ts'
import { listOf, numberOf, textOf, type Fields } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Media, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { refusal } from './errors.ts'
import { filesOfContent, textOfContent } from './read-content.ts'
import { api, isKind } from './site.ts'
import type { termRoutes } from './terms.routes.ts'

export type BlogPost = Post & { slug: string; title: string; content: string; areCommentsOpen: boolean }

const statuses = ['publish', 'future', 'draft', 'pending', 'private']

/** No limit: the content of a post is a text of any length. */
export function countText(text: string): number {
  return [...text].length
}

export function postRoutes(context: PlatformContext, { nameOf }: ReturnType<typeof termRoutes>) {
  const posts = context.createTable<BlogPost>('posts')

  const find = (id: string | undefined): BlogPost | undefined => {
    const post = posts.get(id ?? '')
    return post?.deleted === true ? undefined : post
  }

  const create = (call: Call, { account }: Session) => {
    const fields = call.fields
    if (!fields) throw refusal('rest_invalid_param')
    const status = textOf(fields['status']) ?? 'draft'
    // Others are not simulated: to publish them at once would be wrong.
    if (status !== 'publish') throw refusal('rest_invalid_param')
    if (isKind(account, 'contributor')) throw refusal('rest_cannot_publish')
    const [title, content] = [textOf(fields['title']) ?? '', textOf(fields['content']) ?? '']
    if (title === '' && content === '') throw refusal('empty_content')
    const featured = featuredOf(fields)
    const named = { tags: termsOf(fields, 'tags'), categories: termsOf(fields, 'categories') }
    const id = String(context.nextNumber())
    const text = textOfContent(content)
    const url = `${context.origin}/archives/${id}`
    const media = [...(featured ? [featured] : []), ...filesOfContent(context, content)]
    const head = { platform: context.name, id, account, text, url, replyTo: null, atMs: context.now(), deleted: false, media }
    const areCommentsOpen = (textOf(fields['comment_status']) ?? 'open') === 'open' && !isKind(account, 'closed')
    const slug = uniqueSlug(textOf(fields['slug']) ?? title)
    const post: BlogPost = { ...head, request: { ...fields, ...named }, slug, title, content, areCommentsOpen }
    for (const { id: mediaId } of media) {
      const stored = context.simulator.media.find(context.name, mediaId)
      if (stored) stored.attachedTo = id
    }
    posts.set(id, post)
    context.commit(post, call)
    return json(201, view(post))
  }

  const featuredOf = (fields: Fields): Media | undefined => {
    const id = numberOf(fields['featured_media']) ?? 0
    if (id === 0) return undefined
    const media = context.simulator.media.find(context.name, String(id))
    if (!media?.mime.startsWith('image/')) throw refusal('rest_invalid_featured_media')
    return media
  }

  const termsOf = (fields: Fields, taxonomy: 'tags' | 'categories'): string[] | undefined => {
    if (fields[taxonomy] === undefined) return undefined
    return listOf(fields[taxonomy]).map((id) => {
      const name = typeof id === 'number' ? nameOf(taxonomy, id) : undefined
      if (name === undefined) throw refusal('rest_invalid_param')
      return name
    })
  }

  /** A slug that another post has gets a number. */
  const uniqueSlug = (wanted: string): string => {
    const slug = wanted
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, '-')
      .replaceAll(/^-|-$/g, '')
    const taken = new Set([...posts.values()].filter(({ deleted }) => !deleted).map((post) => post.slug))
    if (!taken.has(slug)) return slug
    let number = 2
    while (taken.has(`${slug}-${number}`)) number += 1
    return `${slug}-${number}`
  }

  const list = ({ query }: Call, { account }: Session) => {
    const wanted = query.get('status') ?? 'publish'
    if (wanted !== 'any' && !statuses.includes(wanted)) throw refusal('rest_invalid_param')
    if (query.get('context') === 'edit' && isKind(account, 'contributor')) throw refusal('rest_forbidden_context')
    const slug = query.get('slug')
    const all = [...posts.values()].filter((post) => !post.deleted && context.isVisible(post))
    const found = slug === null ? all : all.filter((post) => post.slug === slug)
    return json(
      200,
      found
        .toReversed()
        .slice(0, Number(query.get('per_page') ?? 10))
        .map(view),
    )
  }

  const routes: Route[] = [
    { method: 'POST', path: `${api}/posts`, operation: 'submit', readSubmit, handle: create },
    { method: 'GET', path: `${api}/posts`, operation: 'find', handle: list },
    {
      method: 'DELETE',
      path: `${api}/posts/:id`,
      operation: 'remove',
      handle({ params, query }, { account }) {
        const post = find(params['id'])
        if (!post) throw refusal('rest_post_invalid_id')
        if (!isOwn(post, account)) throw refusal('rest_cannot_create')
        post.deleted = true
        return json(200, query.get('force') === 'true' ? { deleted: true, previous: view(post) } : view(post))
      },
    },
  ]
  return { routes, find }
}

function isOwn(post: BlogPost, account: Account): boolean {
  return post.account === account
}

function view({ id, account, atMs, slug, title, content, url, areCommentsOpen, request }: BlogPost) {
  return {
    id: Number(id),
    // Without a time zone.
    date_gmt: new Date(atMs).toISOString().slice(0, 19),
    slug,
    status: 'publish',
    type: 'post',
    link: url,
    title: { raw: title, rendered: title },
    content: { raw: content, rendered: content, protected: false },
    author: Number(account.id),
    featured_media: numberOf(request?.['featured_media']) ?? 0,
    comment_status: areCommentsOpen ? 'open' : 'closed',
  }
}

function readSubmit({ fields = {} }: Call): SubmitRequest {
  const content = textOf(fields['content']) ?? ''
  return { operation: 'create_post', text: textOfContent(content), key: textOf(fields['slug']) ?? null, replyTo: null }
}
