import { Type } from 'typebox'
import { defineConnector, type Figures, type Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { parseStaged } from '../kit/is-of-shape.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { streamMedia, uploadTimeoutMs } from '../kit/read-media.ts'
import { auth } from './auth.ts'
import { chat } from './chat.ts'
import { callSlack, classify } from './errors.ts'
import { checkShared, eventType, findMessage } from './find.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { escapeText, postIdOf, postUrlOf, readPostId } from './message.ts'
import { Channel, Done, Identity, Messages, Posted, StagedFiles, UploadAddress, Uploaded } from './wire.ts'

const settings = Type.Object(
  {
    linkPreview: Type.Boolean({
      default: true,
      title: 'Preview of links',
      description: 'Slack shows a preview of the links below the text. Posts with files have none.',
    }),
    markup: Type.Boolean({
      default: true,
      title: 'Markup',
      description: 'Slack shows *bold*, _italic_ and emoji such as :tada: as such. Always in posts with files.',
    }),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

const sharedAfterMs = 1_000

export const slack = defineConnector({
  manifest,
  settings,
  auth,
  origin: 'https://slack.com',
  classify,
  chat,

  async account({ http, credentials }) {
    const query = { channel: credentials.extra?.channel ?? '' }
    const { channel } = await callSlack(http, { method: 'GET', path: '/api/conversations.info', query, returns: Channel })
    const { team } = await callSlack(http, { method: 'GET', path: '/api/auth.test', returns: Identity })
    return { id: channel.id, handle: channel.name || channel.id, displayName: team || channel.id, avatarUrl: null }
  },

  needsStage({ format }) {
    return format !== 'text'
  },

  // Safe to repeat: nobody sees a file before it is shared.
  async stage({ http }, { media, title }) {
    return { files: await Promise.all(media.map((file) => uploadFile(http, file, title))) }
  },
  // Slack does not say how long it keeps a file that was not shared.
  stageLastsMs: 3_600_000,

  async submit(client, draft, staged, { key }) {
    const { http, account } = client
    // Slack cuts a text that is too long, or makes two messages of it, and says nothing.
    if (draft.text.length > manifest.text.max)
      throw new PlatformError({ kind: 'rejected', platformCode: null, ...explainFor('Slack')('text_too_long') })
    const parent = draft.replyTo && readPostId(draft.replyTo.postId)
    // All answers name the message that the thread began with.
    const threadTs = parent ? (parent.threadTs ?? parent.ts) : undefined
    const text = escapeText(draft.text)
    const post = { method: 'POST' } as const
    if (draft.media.length > 0) {
      const { files } = parseStaged(StagedFiles, staged)
      const json = { files, channel_id: account.id, ...(text !== '' && { initial_comment: text }), thread_ts: threadTs }
      await callSlack(http, { ...post, path: '/api/files.completeUploadExternal', json, returns: Done })
      return { state: 'processing', reference: files[0]?.id ?? '', checkAfterMs: sharedAfterMs }
    }
    const { linkPreview, markup } = draft.settings
    const json = {
      channel: account.id,
      text,
      thread_ts: threadTs,
      ...(!linkPreview && { unfurl_links: false, unfurl_media: false }),
      ...(!markup && { mrkdwn: false }),
      // Apps can read it and people cannot see it. By this a message is recognised after a lost answer.
      metadata: { event_type: eventType, event_payload: { key } },
    }
    const { ts } = await callSlack(http, { ...post, path: '/api/chat.postMessage', json, returns: Posted })
    const id = { ts, threadTs }
    return { state: 'published', postId: postIdOf(id), postUrl: postUrlOf(client, id) }
  },

  check: checkShared,
  find: findMessage,

  async remove({ http, account }, postId) {
    const json = { channel: account.id, ts: readPostId(postId).ts }
    await callSlack(http, { method: 'POST', path: '/api/chat.delete', json, returns: Done })
  },

  // A list that begins and ends with the message. A deleted one is not in it.
  async metrics({ http, account }, postIds) {
    const figures = new Map<string, Figures>()
    for (const postId of postIds) {
      const { ts } = readPostId(postId)
      const query = { channel: account.id, oldest: ts, latest: ts, inclusive: 'true', limit: '1' }
      const { messages } = await callSlack(http, { method: 'GET', path: '/api/conversations.history', query, returns: Messages })
      const message = messages.find((each) => each.ts === ts)
      if (!message) continue
      const likes = (message.reactions ?? []).reduce((sum, { count }) => sum + count, 0)
      figures.set(postId, { likes, comments: message.reply_count ?? 0 })
    }
    return figures
  },
})

async function uploadFile(http: Http, file: Media, title: string | null): Promise<{ id: string; title: string }> {
  const { kind, name, sizeBytes, mimeType, alt } = file
  const form = { filename: name, length: String(sizeBytes), ...(alt !== '' && { alt_txt: alt }) }
  const upload = { method: 'POST', path: '/api/files.getUploadURLExternal', form, returns: UploadAddress } as const
  const { upload_url: path, file_id: id } = await callSlack(http, upload)
  await http.call({
    method: 'POST',
    path,
    // The address is for this file alone and needs no token.
    anonymous: true,
    bytes: { body: await streamMedia(file), mimeType },
    headers: { 'content-length': String(sizeBytes) },
    timeoutMs: uploadTimeoutMs(sizeBytes),
    returns: Uploaded,
  })
  return { id, title: kind === 'document' && title !== null ? title : name }
}
