import type { Call } from '../../http/call.ts'
import { flagOf, isFields, listOf, numberOf, textOf, type Fields } from '../../http/fields.ts'
import type { Upload } from '../../http/read-multipart.ts'
import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account, Media, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { chatOf, isKind, isNamed, mayPost } from './chat.ts'
import { badRequest, partlySent, refusal } from './errors.ts'

const textMax = 4096
const captionMax = 1024
const photoBytesMax = 10_000_000
const fileBytesMax = 50_000_000
const deletableMs = 48 * 3_600_000

/** One post is one message, or the messages of an album; its id names them all. */
type Message = Post & { messageIds: number[] }

type File = { type: string; upload: Upload }

/** The methods that send one file, with the field of the file. */
const fileMethods: Record<string, string> = {
  sendPhoto: 'photo',
  sendVideo: 'video',
  sendAnimation: 'animation',
  sendDocument: 'document',
}

/** The limit is counted in the units in which the positions of entities are given. */
export function countText(text: string): number {
  return text.length
}

export function messageRoutes(context: PlatformContext): Route[] {
  const messages = context.createTable<Message>('messages')
  const find = (account: Account, id: number | undefined): Message | undefined => {
    const found = messages.get(`${account.id}/${id}`)
    return found?.deleted === true ? undefined : found
  }

  /** Each message of an album counts against the limit. */
  const countWithinLimit = (account: Account, files: readonly File[]): number => {
    const isOver = (at: number) =>
      at > 0 && context.limits.charge(account, { limit: 'minute', cost: 1 }, context.now())?.exceeded === true
    const over = files.findIndex((_, at) => isOver(at))
    return over === -1 ? files.length : over
  }

  const publish = (call: Call, account: Account, { text, files }: { text: string; files: readonly File[] }) => {
    const fields = call.fields ?? {}
    checkChat(account, fields)
    if (files.length === 0 && text.trim() === '') throw badRequest('message text is empty')
    if (files.length === 0 && countText(text) > textMax) throw badRequest('message is too long')
    if (files.length > 0 && countText(text) > captionMax) throw badRequest('message caption is too long')
    const parameters = objectOf(fields['reply_parameters'])
    const parent = parameters && find(account, numberOf(parameters['message_id']))
    if (parameters && !parent) throw badRequest('message to be replied not found')
    for (const { type, upload } of files) checkFile(type, upload)

    const messageIds = Array.from({ length: Math.max(1, files.length) }, () => context.nextNumber())
    const media = files.map(({ upload }, at) => keepFile(context, account, { id: `${account.id}-${messageIds[at]}`, upload }))
    const id = messageIds.join(',')
    const message: Message = {
      platform: context.name,
      id,
      account,
      text,
      url: `${context.origin}${pathOf(account, messageIds[0])}`,
      replyTo: parent?.id ?? null,
      atMs: context.now(),
      deleted: false,
      media,
      request: fields,
      messageIds,
    }
    for (const one of media) one.attachedTo = id
    for (const each of messageIds) messages.set(`${account.id}/${each}`, message)
    context.commit(message, call)
    // In a large chat, Telegram may publish a video later by itself, and then names no message (core.telegram.org/bots/api, Message).
    const isLater = isKind(account.handle, 'crowded') && files.some(({ type }) => type === 'video')
    return messageIds.map((each) => ({
      message_id: isLater ? 0 : each,
      date: Math.floor(context.now() / 1000),
      chat: chatOf(account),
    }))
  }

  const remove = (account: Account, fields: Fields, ids: readonly number[], isStrict: boolean) => {
    checkChat(account, fields)
    for (const id of ids) {
      const message = find(account, id)
      if (!message && isStrict) throw badRequest('message to delete not found')
      if (message && context.now() - message.atMs > deletableMs) throw badRequest("message can't be deleted for everyone")
      if (message) message.deleted = true
    }
    return json(200, { ok: true, result: true })
  }

  const charges = [{ limit: 'minute', cost: 1 }]
  const path = (method: string) => `/bot:token/${method}`
  const sending = { method: 'POST', operation: 'submit', charges, readSubmit } as const
  return [
    {
      ...sending,
      path: path('sendMessage'),
      handle(call, { account }) {
        const [message] = publish(call, account, { text: textOf(call.fields?.['text']) ?? '', files: [] })
        return json(200, { ok: true, result: message })
      },
    },
    ...Object.entries(fileMethods).map(([method, type]): Route => ({
      ...sending,
      path: path(method),
      handle(call, { account }) {
        const text = textOf(call.fields?.['caption']) ?? ''
        const [message] = publish(call, account, { text, files: [{ type, upload: loadFile(call, type) }] })
        return json(200, { ok: true, result: message })
      },
    })),
    {
      ...sending,
      path: path('sendMediaGroup'),
      handle(call, { account }) {
        const items = itemsOf(call)
        if (items.length < 2 || items.length > 10) throw badRequest('wrong number of messages in the album; must be 2 to 10')
        const files = items.map((item) => {
          const type = textOf(item['type']) ?? ''
          const name = /^attach:\/\/(.+)$/.exec(textOf(item['media']) ?? '')?.[1]
          return { type, upload: loadFile(call, name ?? '') }
        })
        const kinds = new Set(files.map(({ type }) => (type === 'video' ? 'photo' : type)))
        if (kinds.size > 1 || kinds.has('animation')) throw badRequest("can't use the media of the specified type in the album")
        const text = textOf(items[0]?.['caption']) ?? ''
        const count = countWithinLimit(account, files)
        const result = publish(call, account, { text, files: files.slice(0, count) })
        if (count < files.length) throw partlySent(count + 1)
        return json(200, { ok: true, result })
      },
    },
    {
      method: 'POST',
      path: path('deleteMessage'),
      operation: 'remove',
      handle: ({ fields = {} }, { account }) => remove(account, fields, [numberOf(fields['message_id']) ?? 0], true),
    },
    {
      method: 'POST',
      path: path('deleteMessages'),
      operation: 'remove',
      // Messages that are not there are left out.
      handle: ({ fields = {} }, { account }) =>
        remove(
          account,
          fields,
          listOf(fields['message_ids']).flatMap((id) => numberOf(id) ?? []),
          false,
        ),
    },
  ]
}

/** The path of the public address: chats without a name have their number without the -100 of the API. */
function pathOf(account: Account, messageId: number | undefined): string {
  const { id, username } = chatOf(account)
  return username === undefined ? `/c/${String(id).replace(/^-100/, '')}/${messageId}` : `/${username}/${messageId}`
}

function checkChat(account: Account, { chat_id }: Fields): void {
  if (!isNamed(account, textOf(chat_id) ?? '')) throw badRequest('chat not found')
  if (isKind(account.handle, 'left')) throw refusal(403, 'Forbidden: bot is not a member of the channel chat')
  if (!mayPost(account)) throw badRequest('need administrator rights in the channel chat')
}

/** Files by address and by the id of an earlier file are not simulated. */
function loadFile(call: Call, name: string): Upload {
  const upload = call.files.get(name)
  if (!upload) throw badRequest('wrong file identifier/HTTP URL specified')
  return upload
}

function checkFile(type: string, { bytes, mime }: Upload): void {
  if (bytes.length === 0) throw badRequest('file must be non-empty')
  if (bytes.length > fileBytesMax) throw refusal(413)
  if (type !== 'photo') return
  if (bytes.length > photoBytesMax) throw badRequest('file is too big for a photo')
  if (!mime.startsWith('image/')) throw badRequest('IMAGE_PROCESS_FAILED')
}

function keepFile(context: PlatformContext, account: Account, { id, upload }: { id: string; upload: Upload }): Media {
  // There is no alt text. The name of a document is what people see of it.
  const alt = upload.mime.startsWith('image/') || upload.mime.startsWith('video/') ? '' : upload.filename.replace(/\.\w+$/, '')
  return context.simulator.media.add(context.name, {
    id,
    account,
    mime: upload.mime,
    bytes: upload.bytes,
    alt,
    readyAtMs: context.now(),
  })
}

/** Objects are JSON in a form and plain in a JSON body. */
function objectOf(value: unknown): Fields | undefined {
  const parsed = parse(value)
  return isFields(parsed) ? parsed : undefined
}

function itemsOf({ fields = {} }: Call): Fields[] {
  return listOf(parse(fields['media'])).filter(isFields)
}

function parse(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function readSubmit(call: Call): SubmitRequest {
  const fields = call.fields ?? {}
  const replyTo = objectOf(fields['reply_parameters'])?.['message_id']
  return {
    operation: 'send_message',
    text: textOf(fields['text'] ?? fields['caption'] ?? itemsOf(call)[0]?.['caption']) ?? '',
    key: null,
    replyTo: textOf(replyTo) ?? null,
  }
}

/** What a reader of the page of a post wants to know about its request. */
export function describeRequest({ link_preview_options }: Fields) {
  const isHidden = flagOf(objectOf(link_preview_options)?.['is_disabled'])
  const hidden = ['chat_id', 'text', 'caption', 'media', 'reply_parameters', 'width', 'height', 'duration', 'supports_streaming']
  return { hidden: isHidden ? hidden : [...hidden, 'link_preview_options'] }
}
