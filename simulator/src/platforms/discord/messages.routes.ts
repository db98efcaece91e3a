import type { Call } from '../../http/call.ts'
import { isFields, listOf, numberOf, textOf, type Fields } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account, Media, Post } from '../../state/entities.ts'
import { createSnowflake, readId } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { markRepeated, type SubmitRequest } from '../../state/submits.ts'
import { guildIdOf, isKind, viewBot } from './channel.ts'
import { invalidForm, refusal, tooLong } from './errors.ts'

const textMax = 2000
const nonceMax = 25
const descriptionMax = 1024
const filesMax = 10
const fileBytesMax = 10 * 1024 * 1024
const requestBytesMax = 25 * 1024 * 1024
const epochMs = 1_420_070_400_000
/** "The past few minutes" is all that the documentation says. */
const nonceLastsMs = 180_000

/**
 * Bots must name themselves in this form (docs.discord.com/developers/reference, User Agent). Others are turned away before the API, with a code
 * that sounds like a failure (github.com/discord/discord-api-docs issue 6473). Only what writes is checked here, so that a test may look.
 */
const botAgent = /^DiscordBot \(\S+, \S+\)/

type Message = Post & { guildId: string }

/** The unit of the limit is not documented. */
export function countText(text: string): number {
  return text.length
}

export function messageRoutes(context: PlatformContext): Route[] {
  const messages = context.createTable<Message>('messages')
  const nonces = context.createTable<{ id: string; expiresAtMs: number }>('nonces')
  const nextId = createSnowflake(epochMs, 22n)

  const find = (account: Account, id: string | undefined): Message | undefined => {
    const found = messages.get(id ?? '')
    return found?.account === account && !found.deleted ? found : undefined
  }
  const load = (account: Account, id: string | undefined): Message => {
    const found = find(account, id)
    if (!found) throw refusal(10008)
    return found
  }

  const create = (call: Call, account: Account): Reply => {
    if (!botAgent.test(call.headers['user-agent'] ?? '')) throw refusal(40333)
    checkChannel(call, account)
    if (isKind(account, 'muted')) throw refusal(50013)
    if (isKind(account, 'forum')) throw refusal(50008)
    if (call.body.length > requestBytesMax) throw refusal(40005)
    const fields = payloadOf(call)
    if (!fields) throw refusal(50109)
    const nonce = textOf(fields['nonce'])
    if (nonce !== undefined && nonce.length > nonceMax) throw tooLong('nonce', nonceMax)
    const isEnforced = nonce !== undefined && fields['enforce_nonce'] === true
    const known = isEnforced ? nonces.get(`${account.id}:${nonce}`) : undefined
    if (known && known.expiresAtMs > context.now()) {
      // If it was deleted meanwhile, it is not made again (github.com/discord/discord-api-docs pull request 6647).
      const earlier = load(account, known.id)
      markRepeated(call)
      return json(200, { ...view(earlier), nonce })
    }
    const message = publish(call, account, fields)
    if (isEnforced) nonces.set(`${account.id}:${nonce}`, { id: message.id, expiresAtMs: context.now() + nonceLastsMs })
    return json(200, { ...view(message), ...(nonce !== undefined && { nonce }) })
  }

  const publish = (call: Call, account: Account, fields: Fields): Message => {
    const text = (textOf(fields['content']) ?? '').trim()
    const described = listOf(fields['attachments']).filter(isFields)
    if (countText(text) > textMax) throw tooLong('content', textMax)
    if (call.files.size > filesMax) throw refusal(30015)
    if (text === '' && call.files.size === 0) throw refusal(50006)
    const reference = isFields(fields['message_reference']) ? textOf(fields['message_reference']['message_id']) : undefined
    if (reference !== undefined && isKind(account, 'deaf')) throw refusal(160002)
    if (reference !== undefined && !find(account, reference))
      throw invalidForm('message_reference', 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE', 'Unknown message')

    const id = nextId(context.now())
    const media = [...call.files].map(([name, { bytes, mime, filename }]) => {
      const number = /^files\[(\d+)\]$/.exec(name)?.[1]
      if (number === undefined || bytes.length > fileBytesMax) throw refusal(40005)
      const about = described.find((each) => textOf(each['id']) === number) ?? {}
      const description = textOf(about['description']) ?? ''
      if (description.length > descriptionMax) throw tooLong('attachments', descriptionMax)
      // What people see of a document is its name.
      const isSeen = mime.startsWith('image/') || mime.startsWith('video/')
      const alt = isSeen ? description : (textOf(about['title']) ?? filename.replace(/\.\w+$/, ''))
      return context.simulator.media.add(context.name, {
        id: `${id}-${number}`,
        account,
        mime,
        bytes,
        alt,
        readyAtMs: context.now(),
      })
    })
    for (const one of media) one.attachedTo = id
    const guildId = guildIdOf(account)
    const url = `${context.origin}/channels/${guildId}/${account.id}/${id}`
    const atMs = context.now()
    const head = { platform: context.name, id, account, text, url, replyTo: reference ?? null, atMs, deleted: false, media }
    const message: Message = { ...head, request: fields, guildId }
    messages.set(id, message)
    context.commit(message, call)
    return message
  }

  /** Newest first. Who may not read the history gets an empty list, not an error. */
  const list = (call: Call, account: Account): Reply => {
    checkChannel(call, account)
    const limit = numberOf(call.query.get('limit') ?? undefined) ?? 50
    if (!(limit >= 1 && limit <= 100)) throw invalidForm('limit', 'NUMBER_TYPE_MAX', 'int value should be 1 to 100.')
    if (isKind(account, 'deaf')) return json(200, [])
    const before = readId(call.query.get('before'))
    const all = account.posts.flatMap(({ id }) => find(account, id) ?? []).filter((each) => context.isVisible(each))
    const wanted = before === undefined ? all : all.filter(({ id }) => BigInt(id) < before)
    return json(200, wanted.slice(-limit).toReversed().map(view))
  }

  const path = '/api/v10/channels/:channel/messages'
  const charges = [{ limit: 'global', cost: 1 }]
  return [
    {
      method: 'POST',
      path,
      operation: 'submit',
      charges: [{ limit: 'channel', cost: 1 }, ...charges],
      readSubmit,
      handle: (call, { account }) => create(call, account),
    },
    { method: 'GET', path, operation: 'find', charges, handle: (call, { account }) => list(call, account) },
    {
      method: 'GET',
      path: `${path}/:id`,
      operation: 'metrics',
      charges,
      handle(call, { account }) {
        checkChannel(call, account)
        return json(200, view(load(account, call.params['id'])))
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      operation: 'remove',
      charges,
      handle(call, { account }) {
        checkChannel(call, account)
        load(account, call.params['id']).deleted = true
        return { status: 204, headers: {}, body: '' }
      },
    },
  ]
}

/** A bot sees only the channels of the servers that it is in. */
export function checkChannel({ params }: Call, account: Account): void {
  if (isKind(account, 'left')) throw refusal(50001)
  if (params['channel'] !== account.id) throw refusal(10003)
}

/** What a list shows of a message: the nonce is in the answer to its creation only. */
function view(message: Message) {
  const { id, account, text, replyTo, atMs, media, figures } = message
  const likes = figures?.likes ?? 0
  const counts = [Math.ceil(likes / 2), Math.floor(likes / 2)].filter((count) => count > 0)
  const emojis = ['🔔', '🎶']
  return {
    id,
    type: replyTo === null ? 0 : 19,
    channel_id: account.id,
    author: viewBot(account),
    content: text,
    timestamp: new Date(atMs).toISOString(),
    edited_timestamp: null,
    attachments: media.map(viewFile),
    embeds: [],
    ...(counts.length > 0 && {
      reactions: counts.map((count, at) => ({ count, me: false, emoji: { id: null, name: emojis[at] } })),
    }),
    ...(replyTo !== null && {
      message_reference: { type: 0, message_id: replyTo, channel_id: account.id, guild_id: message.guildId },
    }),
  }
}

function viewFile({ id, mime, sizeBytes, alt }: Media) {
  return { id, filename: id, content_type: mime, size: sizeBytes, description: alt }
}

/** The body itself, or its JSON beside the files. */
function payloadOf(call: Call): Fields | undefined {
  const text = call.fields?.['payload_json']
  if (typeof text !== 'string') return call.fields
  try {
    const parsed: unknown = JSON.parse(text)
    return isFields(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function readSubmit(call: Call): SubmitRequest {
  const fields = payloadOf(call) ?? {}
  const reference = fields['message_reference']
  return {
    operation: 'create_message',
    text: textOf(fields['content']) ?? '',
    key: fields['enforce_nonce'] === true ? (textOf(fields['nonce']) ?? null) : null,
    replyTo: isFields(reference) ? (textOf(reference['message_id']) ?? null) : null,
  }
}
