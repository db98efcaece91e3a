import type { Call } from '../../http/call.ts'
import { isFields, listOf, numberOf, textOf, type Fields } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Post } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { blogOf } from './blogs.ts'
import { type Content, readContent, textOfBlocks } from './blocks.ts'
import { badBlock, mediaDay, postDay, refusal, stillTranscoding, videoDay } from './errors.ts'

/** A video is shown once it is converted, and has another id from then on (tumblr/TMTumblrSDK issue 146). */
type TumblrPost = Post & { slug: string; tags: readonly string[]; blocks: readonly Fields[]; firstId: string; shownAtMs: number }

/** Thirty tags of 140 characters: more are refused (AprilSylph/XKit-Rewritten issue 2069). */
const tagsMax = 30
const tagLengthMax = 140
const pageMax = 20

const answer = (status: number, msg: string, response: unknown): Reply => json(status, { meta: { status, msg }, response })

export function postRoutes(context: PlatformContext): Route[] {
  const posts = context.createTable<TumblrPost>('posts')
  /** By blog, until when its last video is converted. */
  const transcoding = context.createTable<number>('transcoding')
  const nextId = () => String(770_000_000_000_000_000n + BigInt(context.nextNumber()))

  const create = (call: Call, session: Session): Reply => {
    const blog = blogOf(context, call, session)
    const fields = payloadOf(call)
    if (!fields) throw badBlock('The body is not JSON.')
    const content = readContent(fields, call.files)
    const state = textOf(fields['state']) ?? 'published'
    if (state !== 'published') throw badBlock(`Unknown state - ${state}`)
    const tags = readTags(fields['tags'])
    chargeDay(session.account, content)
    if (content.video && (transcoding.get(blog.id) ?? 0) > context.now()) throw stillTranscoding()
    const post = add(call, blog, { content, fields, tags })
    if (!content.video) return answer(201, 'Created', { id: post.id, state: 'published', display_text: 'Posted to your blog' })
    const said = 'Your video is still processing, please wait a few minutes for it to appear.'
    return answer(201, 'Created', { id: post.firstId, state: 'transcoding', display_text: said })
  }

  /** The documentation names 429 for these limits too. What posting answers is a 403 with a code. */
  const chargeDay = (account: Account, { files, video }: Content) => {
    const isOver = (limit: string, cost: number) =>
      cost > 0 && context.limits.charge(account, { limit, cost }, context.now())?.exceeded === true
    if (isOver('posts', 1)) throw postDay()
    if (isOver('images', files.length - (video ? 1 : 0))) throw mediaDay()
    if (isOver('videos', video ? 1 : 0)) throw videoDay()
  }

  type New = { content: Content; fields: Fields; tags: readonly string[] }

  const add = (call: Call, blog: Account, { content, fields, tags }: New): TumblrPost => {
    const { blocks, text, files, video } = content
    const atMs = context.now()
    const firstId = nextId()
    const id = video ? nextId() : firstId
    const shownAtMs = video ? context.readyAtMs(context.settings.processingMs) : atMs
    const media = files.map(({ identifier, alt, mime, bytes }) =>
      context.simulator.media.add(context.name, {
        id: `${firstId}-${identifier}`,
        account: blog,
        mime,
        bytes,
        alt,
        readyAtMs: atMs,
      }),
    )
    for (const one of media) one.attachedTo = id
    const slug =
      textOf(fields['slug']) ??
      text
        .toLowerCase()
        .replaceAll(/[^a-z\d]+/g, '-')
        .slice(0, 50)
    const url = `${context.origin}/${blog.handle}/${id}`
    const head = { platform: context.name, id, account: blog, text, url, replyTo: null, atMs, deleted: false, media }
    const title = textOf(blocks.find((block) => block['subtype'] === 'heading1')?.['text'])
    const link = textOf(blocks.find((block) => block['type'] === 'link')?.['url'])
    const request = { ...fields, ...(title !== undefined && { title }), ...(link !== undefined && { link }) }
    const post: TumblrPost = { ...head, request, slug, tags, blocks, firstId, shownAtMs }
    // A video that cannot be converted is never shown, and nothing tells the app.
    if (video && context.settings.processingFails) return post
    if (video) transcoding.set(blog.id, shownAtMs)
    posts.set(id, post)
    context.commit(post, call)
    return post
  }

  const isShown = (post: TumblrPost) => !post.deleted && post.shownAtMs <= context.now() && context.isVisible(post)

  const list = (call: Call, session: Session): Reply => {
    const blog = blogOf(context, call, session, false)
    const { query } = call
    const limit = Math.min(pageMax, Math.max(1, numberOf(query.get('limit') ?? undefined) ?? pageMax))
    const offset = numberOf(query.get('offset') ?? undefined) ?? 0
    const before = numberOf(query.get('before') ?? undefined)
    const wantedId = query.get('id')
    const shown = [...posts.values()]
      .filter((post) => post.account === blog && isShown(post))
      .filter((post) => before === undefined || Math.floor(post.shownAtMs / 1000) < before)
      .filter(({ id }) => wantedId === null || id === wantedId)
      .toSorted((a, b) => b.shownAtMs - a.shownAtMs || Number(BigInt(b.id) - BigInt(a.id)))
    if (wantedId !== null && shown.length === 0) throw refusal(404)
    const page = shown.slice(offset, offset + limit).map(view)
    const source = JSON.stringify({
      meta: { status: 200, msg: 'OK' },
      response: { blog: { name: blog.handle, uuid: blog.id }, posts: page, total_posts: shown.length },
    })
    // An id is a number of 64 bits, which JSON.stringify cannot write.
    return { ...json(200, {}), body: source.replaceAll(/"id":"(\d{18})"/g, '"id":$1') }
  }

  const remove = (call: Call, session: Session): Reply => {
    const blog = blogOf(context, call, session)
    const post = posts.get(textOf(call.fields?.['id']) ?? '')
    if (post?.account !== blog || !isShown(post)) throw refusal(404)
    post.deleted = true
    return answer(200, 'OK', { id: post.id })
  }

  /** The documentation does not name `total_replies`, which answers have. */
  const notes = (call: Call, session: Session): Reply => {
    const blog = blogOf(context, call, session, false)
    const post = posts.get(call.query.get('id') ?? '')
    if (post?.account !== blog || !isShown(post)) throw refusal(404)
    const { likes = 0, shares = 0, comments = 0 } = post.figures ?? {}
    const totals = call.query.get('mode') === 'conversation' && {
      total_likes: likes,
      total_reblogs: shares,
      total_replies: comments,
    }
    return answer(200, 'OK', { notes: [], total_notes: likes + shares + comments, ...totals })
  }

  const charges = [{ limit: 'hour', cost: 1 }]
  const path = '/v2/blog/:blog'
  return [
    {
      method: 'POST',
      path: `${path}/posts`,
      operation: 'submit',
      scope: 'write',
      charges,
      readSubmit: (call) => readSubmit(call, context),
      handle: create,
    },
    { method: 'GET', path: `${path}/posts`, operation: 'find', scope: 'basic', charges, handle: list },
    { method: 'POST', path: `${path}/post/delete`, operation: 'remove', scope: 'write', charges, handle: remove },
    { method: 'GET', path: `${path}/notes`, operation: 'other', scope: 'basic', charges, handle: notes },
  ]
}

/** Addresses lead over a server of Tumblr, which counts and checks them. */
const throughTumblr = (url: string) =>
  `https://t.umblr.com/redirect?z=${encodeURIComponent(url)}&t=${accountNumber('tumblr', url, 12)}`

function view({ id, firstId, account, url, slug, shownAtMs, tags, blocks, figures }: TumblrPost) {
  const { likes = 0, shares = 0, comments = 0 } = figures ?? {}
  const content = blocks.map((block) => ({
    ...block,
    ...(block['type'] === 'link' && { url: throughTumblr(textOf(block['url']) ?? ''), display_url: block['url'] }),
    ...(block['formatting'] !== undefined && { formatting: listOf(block['formatting']).map(viewRange) }),
  }))
  return {
    object_type: 'post',
    type: 'blocks',
    is_blocks_post_format: true,
    blog_name: account.handle,
    id,
    id_string: id,
    ...(firstId !== id && { genesis_post_id: firstId }),
    post_url: url,
    slug,
    timestamp: Math.floor(shownAtMs / 1000),
    state: 'published',
    tags,
    summary: textOfBlocks(blocks).slice(0, 100),
    note_count: likes + shares + comments,
    content,
    layout: [],
    trail: [],
  }
}

function viewRange(range: unknown): unknown {
  if (!isFields(range) || range['type'] !== 'link') return range
  return { ...range, url: throughTumblr(textOf(range['url']) ?? '') }
}

function readTags(given: unknown): string[] {
  const tags = (textOf(given) ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^#/, ''))
    .filter((tag) => tag !== '')
  if (tags.length > tagsMax) throw badBlock('A post can have 30 tags.')
  if (tags.some((tag) => tag.length > tagLengthMax)) throw badBlock('A tag can have 140 characters.')
  return tags
}

/** With files the fields are JSON in a part of the form. */
function payloadOf(call: Call): Fields | undefined {
  const packed = textOf(call.fields?.['json'])
  if (packed === undefined) return call.fields
  try {
    const value: unknown = JSON.parse(packed)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readSubmit(call: Call, context: PlatformContext): SubmitRequest {
  const fields = payloadOf(call) ?? {}
  const text = textOfBlocks(listOf(fields['content']).filter(isFields))
  const account = context.accounts.all().find(({ id }) => id === call.params['blog'])?.handle
  return { operation: 'create_post', text, key: textOf(fields['slug']) ?? null, replyTo: null, account }
}
