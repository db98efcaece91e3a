import { Type } from 'typebox'
import { type Account, readFollowers } from '../kit/auth.ts'
import { defineConnector } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { uploadTimeoutMs } from '../kit/read-media.ts'
import { auth } from './auth.ts'
import { chat } from './chat.ts'
import { because, classify } from './errors.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { sendFiles } from './send-files.ts'
import { AnyBody, Chat, Members, Sent } from './wire.ts'

const settings = Type.Object(
  {
    silent: Type.Boolean({ default: false, title: 'Silent', description: 'Subscribers get the message without a sound.' }),
    linkPreview: Type.Boolean({
      default: true,
      title: 'Preview of the link',
      description: 'Telegram shows a preview of the first link below the text.',
    }),
    protect: Type.Boolean({
      default: false,
      title: 'No forwarding',
      description: 'The message can be neither forwarded nor saved.',
    }),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

/** The largest post is ten photos, or one file of the largest size. */
const postBytesMax = Math.max(manifest.photos.max * manifest.photos.bytesMax, manifest.video.bytesMax)

/** A post is one message or, for an album, several: its id is their numbers with commas between them. */
const idsOf = (postId: string) => postId.split(',').map(Number)

/** Begins the id of a post of which Telegram has not told the number. */
const laterMark = 'later:'

/** Channels and groups with a name are public. Others have an address that only members can open, and small groups have none. */
function postUrl({ id, handle }: { id: string; handle: string }, messageId: number): string | null {
  if (handle !== id) return `https://t.me/${handle}/${messageId}`
  return id.startsWith('-100') ? `https://t.me/c/${id.slice(4)}/${messageId}` : null
}

export const telegram = defineConnector({
  manifest,
  settings,
  auth,
  origin: 'https://api.telegram.org',
  classify,
  chat,
  attach: (accessToken) => ({ path: `/bot${accessToken}` }),

  async account({ http, credentials }) {
    const query = { chat_id: credentials.extra?.chat ?? '' }
    const { result } = await http.call({ method: 'GET', path: '/getChat', query, returns: Chat })
    const id = String(result.id)
    const handle = result.username ?? id
    const followers = await countMembers(http, id)
    return { id, handle, displayName: result.title ?? handle, avatarUrl: null, ...followers }
  },

  // Files cannot be uploaded before they are published.
  needsStage: () => false,
  submitMsMax: uploadTimeoutMs(postBytesMax),

  async submit({ http, account }, draft, _staged, { key }) {
    const { silent, linkPreview, protect } = draft.settings
    if (draft.replyTo?.postId.startsWith(laterMark) === true)
      throw new PlatformError({ kind: 'rejected', platformCode: null, ...because('thread_stopped') })
    const common = {
      chat_id: account.id,
      ...(silent && { disable_notification: true }),
      ...(protect && { protect_content: true }),
      ...(draft.replyTo && { reply_parameters: { message_id: idsOf(draft.replyTo.postId)[0] } }),
    }
    if (draft.media.length > 0) {
      const fields = Object.entries(common).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ])
      return outcomeOf(account, await sendFiles(http, draft, Object.fromEntries(fields)), key)
    }
    const json = { ...common, text: draft.text, ...(!linkPreview && { link_preview_options: { is_disabled: true } }) }
    const { result } = await http.call({ method: 'POST', path: '/sendMessage', json, returns: Sent })
    return outcomeOf(account, [result.message_id], key)
  },

  // Telegram deletes messages for 48 hours.
  async remove({ http, account }, postId) {
    if (postId.startsWith(laterMark)) throw unnamed()
    const ids = idsOf(postId)
    const [path, what] = ids.length === 1 ? ['/deleteMessage', { message_id: ids[0] }] : ['/deleteMessages', { message_ids: ids }]
    await http.call({ method: 'POST', path, json: { chat_id: account.id, ...what }, returns: AnyBody })
  },
})

/**
 * The number is 0 if Telegram has accepted the message and publishes it later by itself, for example a video in a large chat. It then cannot be
 * named, so the id is one of ours.
 */
function outcomeOf(account: { id: string; handle: string }, ids: readonly number[], key: string) {
  const [first = 0] = ids
  if (first === 0) return { state: 'published', postId: laterMark + key, postUrl: null } as const
  return { state: 'published', postId: ids.join(','), postUrl: postUrl(account, first) } as const
}

function unnamed(): PlatformError {
  const message = 'Telegram has not told which message this is. It can be deleted in Telegram only.'
  return new PlatformError({ kind: 'rejected', platformCode: null, message })
}

/** The subscribers of a channel, or the members of a group. The account is the same without them. */
async function countMembers(http: Http, chatId: string): Promise<Pick<Account, 'followers'>> {
  try {
    const query = { chat_id: chatId }
    const { result } = await http.call({ method: 'GET', path: '/getChatMemberCount', query, returns: Members })
    return readFollowers(result)
  } catch (error) {
    if (error instanceof PlatformError) return {}
    throw error
  }
}
