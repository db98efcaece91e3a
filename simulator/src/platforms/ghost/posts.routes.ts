import { randomUUID } from 'node:crypto'
import type { Call } from '../../http/call.ts'
import { isFields, listOf, textOf, type Fields } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Media, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { invalid, refusal } from './errors.ts'
import { filesOfContent, textOfContent } from './read-content.ts'
import { api } from './site.routes.ts'

type SitePost = Post & { slug: string; title: string; status: string }

/** Limits of the tables `posts` and `posts_meta`, and of the schema of the API. */
const lengthMax = { title: 255, slug: 191, custom_excerpt: 300, feature_image_alt: 191, feature_image: 2000 } as const
const tagLengthMax = 191
const slugLengthMax = 185
const visibilities = ['public', 'members', 'paid', 'tiers']

/** No limit: the content of a post is a text of any length. */
export function countText(text: string): number {
  return [...text].length
}

export function postRoutes(context: PlatformContext): Route[] {
  const posts = context.createTable<SitePost>('posts')

  const create = (call: Call, { account }: Session): Reply => {
    const fields = postOf(call)
    if (!fields)
      throw refusal('ValidationError', { context: "Validation failed for posts.\nmust have required property 'posts'" })
    checkFields(fields)
    // Without this word in the query, HTML is dropped and the post is empty.
    const content = call.query.get('source') === 'html' ? (textOf(fields['html']) ?? '') : ''
    const id = randomUUID().replaceAll('-', '').slice(0, 24)
    const title = textOf(fields['title']) ?? ''
    const slug = freeSlug(account.handle, textOf(fields['slug']) ?? title)
    const url = `${context.origin}/${slug}/`
    const media = [...featuredOf(fields), ...filesOfContent(context, content)]
    const text = textOfContent(content)
    const atMs = context.now()
    const head = { platform: context.name, id, account, text, url, replyTo: null, atMs, deleted: false, media }
    const status = textOf(fields['status']) ?? 'draft'
    const tags = listOf(fields['tags']).map((tag) => (isFields(tag) ? textOf(tag['name']) : textOf(tag)))
    const post: SitePost = { ...head, request: { ...fields, ...(tags.length > 0 && { tags }) }, slug, title, status }
    for (const { id: mediaId } of media) {
      const stored = context.simulator.media.find(context.name, mediaId)
      if (stored) stored.attachedTo = id
    }
    posts.set(id, post)
    context.commit(post, call)
    return json(201, { posts: [view(post)] })
  }

  const featuredOf = (fields: Fields): Media[] => {
    const id = textOf(fields['feature_image'])?.split('/').at(-1) ?? ''
    const media = context.simulator.media.find(context.name, id)
    return media ? [{ ...media, alt: textOf(fields['feature_image_alt']) ?? '' }] : []
  }

  /** A slug that another post of the site has gets a number. */
  const freeSlug = (handle: string, wanted: string): string => {
    const base =
      wanted
        .toLowerCase()
        .replaceAll(/[^a-z\d]+/g, '-')
        .slice(0, slugLengthMax)
        .replaceAll(/^-|-$/g, '') || 'post'
    const alive = [...posts.values()].filter(({ deleted, account }) => !deleted && account.handle === handle)
    const taken = new Set(alive.map(({ slug }) => slug))
    let slug = base
    for (let number = 2; taken.has(slug); number += 1) slug = `${base}-${number}`
    return slug
  }

  /** Of the language of filters, only the question for one slug is simulated. */
  const list = ({ query }: Call, { account }: Session): Reply => {
    const filter = query.get('filter')
    const slug = filter === null ? null : /^slug:'?([a-z\d-]+)'?$/.exec(filter)?.[1]
    if (slug === undefined) throw refusal('BadRequestError', { message: 'Error parsing filter', property: 'filter' })
    const found = [...posts.values()]
      .filter((post) => !post.deleted && post.account === account && context.isVisible(post))
      .filter((post) => slug === null || post.slug === slug)
      .toReversed()
      .slice(0, Number(query.get('limit') ?? 15))
    const names = query.get('fields')?.split(',')
    const shown = found.map((post) => Object.entries(view(post)).filter(([name]) => !names || names.includes(name)))
    return json(200, { posts: shown.map((entries) => Object.fromEntries(entries)), meta: { pagination: { page: 1 } } })
  }

  return [
    { method: 'POST', path: `${api}/posts/`, operation: 'submit', readSubmit, handle: create },
    { method: 'GET', path: `${api}/posts/`, operation: 'find', handle: list },
    {
      method: 'DELETE',
      path: `${api}/posts/:id/`,
      operation: 'remove',
      handle({ params }, { account }) {
        const post = posts.get(params['id'] ?? '')
        if (!post || post.deleted || post.account !== account) throw refusal('NotFoundError', { message: 'Post not found.' })
        post.deleted = true
        return { status: 204, headers: {}, body: '' }
      },
    },
  ]
}

function checkFields(fields: Fields): void {
  if (textOf(fields['title'])?.trim() === undefined || textOf(fields['title'])?.trim() === '')
    throw refusal('ValidationError', { context: "Validation failed for title.\nmust have required property 'title'" })
  for (const [field, max] of Object.entries(lengthMax))
    if ((textOf(fields[field]) ?? '').length > max) throw invalid(field, `exceeds maximum length of ${max} characters`)
  // Others are not simulated: to publish them at once would be wrong.
  if (!['published', undefined].includes(textOf(fields['status']))) throw invalid('status', 'is not one of the allowed values')
  if (!visibilities.includes(textOf(fields['visibility']) ?? 'public'))
    throw invalid('visibility', 'is not one of the allowed values')
  for (const tag of listOf(fields['tags'])) {
    const name = isFields(tag) ? (textOf(tag['name']) ?? textOf(tag['slug']) ?? textOf(tag['id'])) : textOf(tag)
    if (name === undefined || name === '' || name.length > tagLengthMax) throw invalid('tags', 'is not valid')
  }
}

function postOf({ fields }: Call): Fields | undefined {
  const [first] = listOf(fields?.['posts'])
  return isFields(first) ? first : undefined
}

function view({ id, slug, title, status, url, atMs }: SitePost) {
  const at = new Date(atMs).toISOString()
  return { id, uuid: id, slug, title, status, url, created_at: at, updated_at: at, published_at: at, visibility: 'public' }
}

function readSubmit(call: Call): SubmitRequest {
  const fields = postOf(call) ?? {}
  const text = textOfContent(textOf(fields['html']) ?? '')
  return { operation: 'create_post', text, key: textOf(fields['slug']) ?? null, replyTo: null }
}
