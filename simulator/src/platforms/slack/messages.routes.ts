import type { Call } from '../../http/call.ts'
import { isFields, numberOf, textOf, type Fields } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account, Media, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest, SubmitSource } from '../../state/submits.ts'
import { botUserIdOf, isKind } from './channel.ts'
import { refusal } from './errors.ts'

/** Longer texts are cut. */
const textMax = 40_000

/** A message is known by its time in its channel. An answer is known to its page by that of its thread as well. */
export type Message = Post & { ts: string; threadTs: string | undefined; metadata: unknown; sent: string; shownAtMs: number }

type NewMessage = { sent: string; threadTs: string | undefined; media?: readonly Media[]; request: Fields; shownAtMs?: number }

export type Messages = {
  routes: Route[]
  publish(call: SubmitSource, account: Account, message: NewMessage): Message
  checkChannel(account: Account, channel: unknown): void
}

export function countText(text: string): number {
  return text.length
}

/** Slack counts microseconds, so that no two messages of a channel have the same time. */
export function createMessages(context: PlatformContext): Messages {
  const messages = context.createTable<Message>('messages')
  const find = (account: Account, ts: string | undefined) => {
    const found = messages.get(`${account.id}/${ts}`)
    return found?.deleted === true ? undefined : found
  }

  const publish: Messages['publish'] = (call, account, { sent, threadTs, media = [], request, shownAtMs }) => {
    const parent = threadTs === undefined ? undefined : find(account, threadTs)
    if (threadTs !== undefined && !parent) throw refusal('thread_not_found')
    if (parent?.threadTs !== undefined) throw refusal('cannot_reply_to_message')
    const atMs = context.now()
    const micros = String(context.nextNumber() % 1_000_000).padStart(6, '0')
    const ts = `${Math.floor(atMs / 1000)}.${micros}`
    const id = threadTs === undefined ? ts : `${threadTs}:${ts}`
    const text = unescapeText(sent.slice(0, textMax))
    const url = `${context.origin}/archives/${account.id}/p${ts.replace('.', '')}`
    const head = { platform: context.name, id, account, text, url, replyTo: threadTs ?? null, atMs, deleted: false, media }
    const own = { ts, threadTs, metadata: request['metadata'], sent, shownAtMs: shownAtMs ?? atMs }
    const message: Message = { ...head, request, ...own }
    messages.set(`${account.id}/${ts}`, message)
    context.commit(message, call)
    return message
  }

  const all = (account: Account) =>
    [...messages.values()].filter((each) => each.account === account && !each.deleted && each.shownAtMs <= context.now())

  const list = (call: Call, account: Account, wanted: readonly Message[], isNewestFirst: boolean): Reply => {
    const { query } = call
    const [oldest, latest] = [Number(query.get('oldest') ?? 0), Number(query.get('latest') ?? Infinity)]
    const isInclusive = ['true', '1'].includes(query.get('inclusive') ?? '')
    const within = wanted.filter((each) => {
      const at = Number(each.ts)
      return isInclusive ? at >= oldest && at <= latest : at > oldest && at < latest
    })
    const ordered = within
      .filter((each) => context.isVisible(each))
      .toSorted((a, b) => (isNewestFirst ? -1 : 1) * (Number(a.ts) - Number(b.ts)))
    const from = numberOf(query.get('cursor') ?? undefined) ?? 0
    const limit = Math.min(999, numberOf(query.get('limit') ?? undefined) ?? 100)
    const hasMore = from + limit < ordered.length
    const withMetadata = ['true', '1'].includes(query.get('include_all_metadata') ?? '')
    const shown = ordered.slice(from, from + limit).map((each) => view(each, all(account), withMetadata))
    const next = hasMore ? { response_metadata: { next_cursor: String(from + limit) } } : {}
    return json(200, { ok: true, messages: shown, has_more: hasMore, ...next })
  }

  const charges = [{ limit: 'tier3', cost: 1 }]
  const routes: Route[] = [
    {
      method: 'POST',
      path: '/api/chat.postMessage',
      operation: 'submit',
      scope: 'chat:write',
      charges: [{ limit: 'channel', cost: 1 }],
      readSubmit,
      handle(call, { account }) {
        const fields = call.fields
        if (!fields) throw refusal('invalid_json')
        checkChannel(account, fields['channel'])
        const sent = textOf(fields['text']) ?? ''
        if (sent.trim() === '') throw refusal('no_text')
        const message = publish(call, account, { sent, threadTs: textOf(fields['thread_ts']), request: fields })
        const { ts } = message
        return json(200, { ok: true, channel: account.id, ts, message: view(message, [], false) })
      },
    },
    {
      method: 'GET',
      path: '/api/conversations.history',
      operation: 'find',
      scope: 'channels:history',
      charges,
      handle(call, { account }) {
        if (call.query.get('channel') !== account.id) throw refusal('channel_not_found')
        const roots = all(account).filter(({ threadTs }) => threadTs === undefined)
        return list(call, account, roots, true)
      },
    },
    {
      method: 'GET',
      path: '/api/conversations.replies',
      operation: 'find',
      scope: 'channels:history',
      charges,
      handle(call, { account }) {
        const root = find(account, call.query.get('ts') ?? undefined)
        if (call.query.get('channel') !== account.id) throw refusal('channel_not_found')
        if (!root) throw refusal('thread_not_found')
        const thread = all(account).filter(({ ts, threadTs }) => ts === root.ts || threadTs === root.ts)
        return list(call, account, thread, false)
      },
    },
    {
      method: 'POST',
      path: '/api/chat.delete',
      operation: 'remove',
      scope: 'chat:write',
      charges,
      handle({ fields = {} }, { account }) {
        checkChannel(account, fields['channel'])
        const message = find(account, textOf(fields['ts']))
        if (!message) throw refusal('message_not_found')
        message.deleted = true
        return json(200, { ok: true, channel: account.id, ts: message.ts })
      },
    },
  ]
  return { routes, publish, checkChannel }
}

function checkChannel(account: Account, channel: unknown): void {
  if (channel !== account.id) throw refusal('channel_not_found')
  if (isKind(account, 'archived')) throw refusal('is_archived')
  if (isKind(account, 'outside')) throw refusal('not_in_channel')
  if (isKind(account, 'restricted')) throw refusal('restricted_action')
}

function view(message: Message, all: readonly Message[], withMetadata: boolean) {
  const { ts, threadTs, sent, account, metadata, figures, media } = message
  const replies = all.filter((each) => each.threadTs === ts).length
  const replyCount = figures?.comments ?? replies
  const likes = figures?.likes ?? 0
  const counts = [Math.ceil(likes / 2), Math.floor(likes / 2)].filter((count) => count > 0)
  return {
    type: 'message',
    user: botUserIdOf(account),
    // Slack marks links in what it stored.
    text: sent.slice(0, textMax).replaceAll(/https?:\/\/[^\s<>|]+/g, '<$&>'),
    ts,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...(replyCount > 0 && { thread_ts: threadTs ?? ts, reply_count: replyCount }),
    ...(counts.length > 0 && { reactions: counts.map((count, at) => ({ name: ['bell', 'tada'][at], count, users: [] })) }),
    ...(media.length > 0 && { files: media.map(({ id }) => ({ id })), subtype: 'file_share' }),
    ...(withMetadata && isFields(metadata) && { metadata }),
  }
}

/** Three characters have a meaning in a text and are written as entities. */
function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function readSubmit({ fields = {} }: Call): SubmitRequest {
  const text = unescapeText(textOf(fields['text']) ?? textOf(fields['initial_comment']) ?? '')
  return { operation: 'post_message', text, key: null, replyTo: textOf(fields['thread_ts']) ?? null }
}

export const readShare = (call: Call): SubmitRequest | undefined =>
  call.fields?.['channel_id'] === undefined ? undefined : { ...readSubmit(call), operation: 'share_files' }
