import type { Call } from '../../http/call.ts'
import { flagOf, numberOf, textOf, textsOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account, Media, Post } from '../../state/entities.ts'
import { createSnowflake, readId } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { escapeHtml } from '../../text/escape-html.ts'
import { replaceLinks } from '../../text/links.ts'
import { invalid, refusal } from './errors.ts'
import { findUpload, viewMedia } from './media.routes.ts'
import { isUnused, serverOf } from './server.ts'

type Status = Post & { visibility: string; spoiler: string | null; isClosed: boolean }

const visibilities = ['public', 'unlisted', 'private']
const spoilerMax = 140
const keyLifetimeMs = 3_600_000
const contextMax = 20

export function countText(text: string): number {
  return [...text].length
}

export function statusRoutes(context: PlatformContext): Route[] {
  const statuses = context.createTable<Status>('statuses')
  const keys = context.createTable<number>('keys')
  const nextId = createSnowflake(0, 16n)

  const find = (id: string | undefined) => {
    const found = statuses.get(id ?? '')
    return found?.deleted === true ? undefined : found
  }
  const load = (id: string | undefined): Status => {
    const found = find(id)
    if (!found) throw refusal(404)
    return found
  }

  /** The order of the checks is that of Pixelfed: the key is stored before most of them. */
  const create = (call: Call, account: Account): Reply => {
    const { fields = {} } = call
    const server = serverOf(account)
    const given = textOf(fields['status']) ?? ''
    const ids = textsOf(fields['media_ids'])
    const visibility = textOf(fields['visibility']) ?? 'public'
    const spoiler = textOf(fields['spoiler_text']) ?? ''
    if (countText(given) > server.captionMax)
      throw invalid('status', `The status must not be greater than ${server.captionMax} characters.`)
    if (ids.length > server.albumMax)
      throw invalid('media_ids', `The media ids must not have more than ${server.albumMax} items.`)
    if (!visibilities.includes(visibility)) throw invalid('visibility', 'The selected visibility is invalid.')
    if (countText(spoiler) > spoilerMax)
      throw invalid('spoiler_text', 'The spoiler text must not be greater than 140 characters.')
    checkKey(call, account)
    const replyTo = textOf(fields['in_reply_to_id']) ?? null
    if (ids.length === 0 && replyTo === null) throw refusal(403, 'Empty statuses are not allowed')
    if (context.limits.charge(account, { limit: 'posts', cost: 1 }, context.now())?.exceeded === true) throw refusal(429, '')
    if (isUnused(account)) return json(200, [])
    const parent = replyTo === null ? undefined : load(replyTo)
    if (parent?.isClosed === true) return { ...json(422, 'Comments have been disabled on this post'), isRefused: true }
    const media = ids.map((id) => takeMedia(account, id))
    const id = nextId(context.now())
    for (const one of media) one.attachedTo = id
    const url = `${context.origin}/p/${account.handle}/${id}`
    const text = stripTags(given)
    const head = { platform: context.name, id, account, text, url, replyTo, atMs: context.now(), deleted: false, media }
    const isSensitive = flagOf(fields['sensitive'])
    const status: Status = {
      ...head,
      request: fields,
      visibility,
      spoiler: isSensitive && spoiler !== '' ? spoiler : null,
      isClosed: flagOf(fields['comments_disabled']),
    }
    statuses.set(id, status)
    context.commit(status, call)
    return json(200, view(status))
  }

  const takeMedia = (account: Account, id: string): Media => {
    const media = findUpload(context, account, id)
    if (!media) throw refusal(400, 'Invalid media_ids')
    return media
  }

  /** A key is used up, whatever becomes of the request. */
  const checkKey = ({ headers }: Call, { id }: Account) => {
    const header = headers['idempotency-key']
    if (typeof header !== 'string') return
    const key = `${id}:${header}`
    if ((keys.get(key) ?? 0) > context.now()) throw refusal(400, 'Duplicate idempotency key.')
    keys.set(key, context.now() + keyLifetimeMs)
  }

  const repliesTo = ({ id }: Status) => [...statuses.values()].filter((each) => each.replyTo === id && !each.deleted)

  const view = (status: Status) => {
    const { id, account, url, text, replyTo, media, visibility, spoiler, atMs, figures } = status
    return {
      id,
      created_at: new Date(atMs).toISOString(),
      in_reply_to_id: replyTo,
      sensitive: flagOf(status.request?.['sensitive']),
      spoiler_text: spoiler ?? '',
      visibility,
      language: 'en',
      uri: url,
      url,
      replies_count: figures?.comments ?? repliesTo(status).length,
      reblogs_count: figures?.shares ?? 0,
      favourites_count: figures?.likes ?? 0,
      content: contentOf(text),
      media_attachments: media.map((one) => viewMedia(context, one)),
      account: viewAccount(context, account),
      mentions: [],
      tags: [],
    }
  }

  /** Answers to others, and answers to oneself, are not in it. */
  const list = (call: Call): Reply => {
    const account = context.accounts.findById(call.params['id'] ?? '')
    if (!account) throw refusal(404, 'Account not found')
    const limit = Math.min(40, numberOf(call.query.get('limit') ?? undefined) ?? 20)
    const before = readId(call.query.get('max_id'))
    const shown = account.posts
      .flatMap(({ id }) => find(id) ?? [])
      .filter((each) => each.replyTo === null && context.isVisible(each))
      .filter(({ id }) => before === undefined || BigInt(id) < before)
    return json(200, shown.slice(-limit).toReversed().map(view))
  }

  const charges = [{ limit: 'calls', cost: 1 }]
  const one = '/api/v1/statuses/:id'
  return [
    {
      method: 'POST',
      path: '/api/v1/statuses',
      operation: 'submit',
      scope: 'write',
      charges,
      readSubmit,
      handle: (call, { account }) => create(call, account),
    },
    { method: 'GET', path: '/api/v1/accounts/:id/statuses', operation: 'find', scope: 'read', charges, handle: list },
    {
      method: 'GET',
      path: one,
      operation: 'check',
      scope: 'read',
      charges,
      handle: ({ params }) => json(200, view(load(params['id']))),
    },
    {
      method: 'GET',
      path: `${one}/context`,
      operation: 'find',
      scope: 'read',
      charges,
      handle({ params }) {
        const shown = repliesTo(load(params['id'])).filter((each) => context.isVisible(each))
        return json(200, { ancestors: [], descendants: shown.slice(0, contextMax).map(view) })
      },
    },
    {
      method: 'DELETE',
      path: one,
      operation: 'remove',
      scope: 'write',
      charges,
      handle({ params }, { account }) {
        const status = load(params['id'])
        if (status.account !== account) throw refusal(404)
        status.deleted = true
        return json(200, { ...view(status), text: status.text })
      },
    },
  ]
}

export function viewAccount(context: PlatformContext, { id, handle }: Account) {
  const avatar = context.avatarUrlOf(handle)
  return { id, username: handle, acct: handle, display_name: handle, avatar, locked: false, url: `${context.origin}/${handle}` }
}

/** As PHP's `strip_tags` does: what begins like a tag is gone, to its end or to that of the text. */
function stripTags(text: string): string {
  return text.replaceAll(/<[^\s][^>]*(?:>|$)/g, '')
}

/** Lines are not made into paragraphs. */
function contentOf(text: string): string {
  return replaceLinks(escapeHtml(text), (url) => `<a href="${url}" rel="nofollow noopener" target="_blank">${url}</a>`)
}

function readSubmit({ fields = {}, headers }: Call): SubmitRequest {
  const key = headers['idempotency-key']
  const text = stripTags(textOf(fields['status']) ?? '')
  return {
    operation: 'create_status',
    text,
    key: typeof key === 'string' ? key : null,
    replyTo: textOf(fields['in_reply_to_id']) ?? null,
  }
}
