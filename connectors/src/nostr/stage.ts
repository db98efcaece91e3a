import { createHash } from 'node:crypto'
import type { Static } from 'typebox'
import type { Client, Draft, Media } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { readMedia, streamMedia, uploadTimeoutMs } from '../kit/read-media.ts'
import { webUrl } from '../kit/web-address.ts'
import { because, reject } from './errors.ts'
import { isGenuine, signEvent } from './event.ts'
import { decodeEntity, readField } from './keys.ts'
import { manifest } from './manifest.ts'
import { noteKind, queryAll, relaysOf } from './relay.ts'
import type { Settings } from './settings.ts'
import { Blob, type StagedNote } from './wire.ts'

const uploadKind = 24_242
/** An upload of a large file over a slow line is over by then. */
const uploadLastsSeconds = 3600

/** Uploads files and looks up what is replied to. The time of the note is fixed here, and with it its id: a repeat is the same event. */
export async function stage(client: Client, draft: Draft<Settings>): Promise<Static<typeof StagedNote>> {
  if (Buffer.byteLength(draft.text) > manifest.text.max) throw reject('text_too_long')
  const files: Uploaded[] = []
  // One after the other: most media servers take one upload at a time.
  for (const file of draft.media) files.push(await upload(client, file))
  const reply = draft.replyTo ? await replyTags(client, draft.replyTo.postId) : []
  const addresses = files.map(({ url }) => url).join('\n')
  const content = [draft.text, addresses].filter((part) => part !== '').join('\n\n')
  const warning = draft.settings.contentWarning
  const tags = [
    ...reply,
    ...mentionTags(draft.text),
    ...topicTags(draft.text),
    ...files.map(({ tag }) => tag),
    ...(warning === undefined ? [] : [['content-warning', warning]]),
  ]
  return { createdAt: Math.floor(client.http.nowMs() / 1000), content, tags }
}

/** NIP-10: the first note of a thread is marked, and the one that is answered. */
async function replyTags(client: Client, parentId: string): Promise<string[][]> {
  const relays = relaysOf(client)
  const { events } = await queryAll(relays, { ids: [parentId], limit: 1 })
  const parent = events.find((event) => event.id === parentId && isGenuine(event))
  if (!parent) {
    const message = 'None of the relays has the post that this one answers.'
    throw new PlatformError({ kind: 'unavailable', platformCode: null, message })
  }
  const hint = relays[0]?.url.replace(/^http/, 'ws') ?? ''
  const root = parent.tags.find(([name, , , marker]) => name === 'e' && marker === 'root')?.[1]
  const reply = root === undefined || root === parentId ? [] : [['e', parentId, hint, 'reply', parent.pubkey]]
  return [['e', root ?? parentId, hint, 'root', parent.pubkey], ...reply, ['p', parent.pubkey]]
}

const mention = /\bnostr:((?:npub|nprofile|note|nevent)1[a-z\d]{20,1400})/g

/** NIP-27: people who are named in the text are told of it, and notes are quoted. */
function mentionTags(text: string): string[][] {
  const tags = Array.from(text.matchAll(mention), ([, code = '']) => {
    const { prefix, bytes } = decodeEntity(code) ?? {}
    if (!bytes) return []
    const id = prefix === 'npub' || prefix === 'note' ? bytes : readField(bytes, 0)
    return id?.length === 32 ? [prefix === 'npub' || prefix === 'nprofile' ? 'p' : 'q', id.toString('hex')] : []
  })
  return unique(tags.filter(({ length }) => length > 0))
}

/** Apps find notes by these. They are written in small letters (NIP-24). */
function topicTags(text: string): string[][] {
  return unique(
    Array.from(text.matchAll(/(?<![\p{L}\p{N}_/#&])#([\p{L}\p{N}_]{1,100})/gu), ([, word = '']) => ['t', word.toLowerCase()]),
  )
}

function unique(tags: readonly string[][]): string[][] {
  return [...new Map(tags.map((tag) => [tag.join(' '), tag])).values()]
}

type Uploaded = { url: string; tag: string[] }

/** BUD-02: a file is named by its hash, so the same one twice is one file. */
async function upload({ http, credentials }: Client, file: Media): Promise<Uploaded> {
  const server = credentials.extra?.['mediaServer'] ?? ''
  if (server === '')
    throw new PlatformError({ kind: 'rejected', platformCode: 'no_media_server', reason: 'file_kind', message: noServer })
  const hash = await hashOf(file)
  const seconds = Math.floor(http.nowMs() / 1000)
  const tags = [
    ['t', 'upload'],
    ['x', hash],
    ['expiration', String(seconds + uploadLastsSeconds)],
  ]
  const parts = { kind: uploadKind, created_at: seconds, tags, content: 'Upload a file of a post' }
  const authorization = `Nostr ${Buffer.from(JSON.stringify(signEvent(parts, credentials.accessToken))).toString('base64')}`
  const isLarge = file.kind === 'video'
  const { url: given, sha256 } = await http.call({
    method: 'PUT',
    path: `${server}/upload`,
    bytes: { body: isLarge ? await streamMedia(file) : await readMedia(file), mimeType: file.mimeType },
    headers: { authorization, 'x-sha-256': hash, ...(isLarge && { 'content-length': String(file.sizeBytes) }) },
    timeoutMs: uploadTimeoutMs(file.sizeBytes),
    returns: Blob,
  })
  const url = webUrl(given)
  // A space would end the part of the tag.
  if (url === null || /\s/.test(url))
    throw new PlatformError({ kind: 'unavailable', platformCode: null, ...because('file_unprocessed') })
  return { url, tag: ['imeta', `url ${url}`, `m ${file.mimeType}`, `x ${sha256}`, ...sizeOf(file), ...altOf(file)] }
}

const noServer = 'This connection names no media server, so it takes no files. Connect it again and enter one.'

function sizeOf({ width, height }: Media): string[] {
  return width && height ? [`dim ${width}x${height}`] : []
}

function altOf({ alt }: Media): string[] {
  const words = alt.trim().replaceAll(/\s+/g, ' ')
  return words === '' ? [] : [`alt ${words}`]
}

async function hashOf(file: Media): Promise<string> {
  const hash = createHash('sha256')
  if (file.kind !== 'video') return hash.update(await readMedia(file)).digest('hex')
  const reader = (await streamMedia(file)).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) hash.update(part.value)
  return hash.digest('hex')
}

/** The note that `stage` prepared, with the tag that makes it another one than every note with the same words (NIP-13 without work). */
export function noteOf({ createdAt, content, tags }: Static<typeof StagedNote>, key: string) {
  return { kind: noteKind, created_at: createdAt, tags: [...tags, ['nonce', key, '0']], content }
}
