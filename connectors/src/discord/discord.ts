import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { choice } from '../kit/setting-words.ts'
import { defineConnector, readEach, type Media } from '../kit/connector.ts'
import { uploadTimeoutMs } from '../kit/read-media.ts'
import { streamFiles, uploadOf } from '../kit/stream-multipart.ts'
import { api, auth, headersOf } from './auth.ts'
import { chat } from './chat.ts'
import { classify } from './errors.ts'
import { findAmongRecent, postUrlOf } from './find.ts'
import { germanWords } from './german-words.ts'
import { manifest, requestBytesMax } from './manifest.ts'
import { AnyBody, Channel, Guild, Message, Reactions } from './wire.ts'

const settings = Type.Object(
  {
    mentions: choice(
      { nobody: 'Nobody', people: 'Mentioned people and roles', everyone: 'Also @everyone and @here' },
      { default: 'nobody', title: 'Who is notified', description: 'Whom mentions in the text notify.' },
    ),
    silent: Type.Boolean({
      default: false,
      title: 'Silent',
      description: 'Members get the message without a sound and without a notification on the phone.',
    }),
    linkPreview: Type.Boolean({
      default: true,
      title: 'Preview of links',
      description: 'Discord shows a preview of the links below the text.',
    }),
    spoiler: Type.Boolean({
      default: false,
      title: 'Spoiler',
      description: 'Pictures and videos are covered until somebody opens them.',
      'x-only-for': ['photo', 'photo_carousel', 'video'],
    }),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

const parsedMentions = { nobody: [], people: ['users', 'roles'], everyone: ['users', 'roles', 'everyone'] } as const

/** Message flags. */
const suppressEmbeds = 1 << 2
const suppressNotifications = 1 << 12

/** At most 25 characters. The same for every attempt, so that Discord recognises a repeat. */
const nonceOf = (key: string) => createHash('sha256').update(key).digest('base64url').slice(0, 25)

const messagesOf = (channelId: string) => `${api}/channels/${channelId}/messages`

export const discord = defineConnector({
  manifest,
  settings,
  auth,
  origin: 'https://discord.com',
  classify,
  chat,
  attach: (accessToken) => ({ headers: headersOf(accessToken) }),

  async account({ http, credentials }) {
    const channelPath = `${api}/channels/${credentials.extra?.channel ?? ''}`
    const channel = await http.call({ method: 'GET', path: channelPath, returns: Channel })
    const guildPath = `${api}/guilds/${encodeURIComponent(channel.guild_id ?? '')}`
    const guild = await http.call({ method: 'GET', path: guildPath, returns: Guild })
    // Many servers have a channel of the same name, so the name of the server is shown with it.
    const avatarUrl = guild.icon ? `https://cdn.discordapp.com/icons/${guild.id}/${guild.icon}.png` : null
    return { id: channel.id, handle: channel.name || channel.id, displayName: guild.name || channel.id, avatarUrl }
  },

  // Files cannot be uploaded before they are published.
  needsStage: () => false,
  submitMsMax: uploadTimeoutMs(requestBytesMax),

  // For some minutes a repeat with the same nonce is answered with the first message.
  async submit(client, draft, _staged, { key }) {
    const { http, account } = client
    const { mentions, silent, linkPreview, spoiler } = draft.settings
    const flags = (silent ? suppressNotifications : 0) | (linkPreview ? 0 : suppressEmbeds)
    const json = {
      content: draft.text,
      nonce: nonceOf(key),
      enforce_nonce: true,
      allowed_mentions: { parse: parsedMentions[mentions] },
      ...(flags !== 0 && { flags }),
      ...(draft.replyTo && { message_reference: { message_id: draft.replyTo.postId } }),
      ...(draft.media.length > 0 && {
        attachments: draft.media.map((file, at) => describeFile(file, at, { title: draft.title, spoiler })),
      }),
    }
    const files = Object.fromEntries(draft.media.map((file, at) => [`files[${at}]`, file]))
    const body = draft.media.length > 0 ? uploadOf(await streamFiles(files, { payload_json: JSON.stringify(json) })) : { json }
    const { id } = await http.call({ method: 'POST', path: messagesOf(account.id), ...body, returns: Message })
    return { state: 'published', postId: id, postUrl: postUrlOf(client, id) }
  },

  find: findAmongRecent,

  async remove({ http, account }, postId) {
    const path = `${messagesOf(account.id)}/${encodeURIComponent(postId)}`
    await http.call({ method: 'DELETE', path, returns: AnyBody })
  },

  metrics({ http, account }, postIds) {
    return readEach(postIds, async (postId) => {
      const path = `${messagesOf(account.id)}/${encodeURIComponent(postId)}`
      const { reactions = [] } = await http.call({ method: 'GET', path, returns: Reactions })
      return { likes: reactions.reduce((sum, { count }) => sum + count, 0) }
    })
  },
})

function describeFile({ kind, name, alt }: Media, at: number, { title, spoiler }: { title: string | null; spoiler: boolean }) {
  return {
    id: at,
    filename: name,
    ...(alt !== '' && { description: alt }),
    ...(kind === 'document' && title !== null && { title }),
    ...(spoiler && kind !== 'document' && { is_spoiler: true }),
  }
}
