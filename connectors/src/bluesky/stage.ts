import type { Static } from 'typebox'
import type { Client, Draft, Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { stageCard } from '../kit/link-card.ts'
import { readMedia, streamMedia, uploadTimeoutMs } from '../kit/read-media.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { because } from './errors.ts'
import { findMentions } from './find-facets.ts'
import { manifest } from './manifest.ts'
import { convertVideo } from './video.ts'
import { Blob, PostRecord, type StagedPost, ResolvedHandle } from './wire.ts'

export const collection = 'app.bsky.feed.post'

/** Resolves mentions, finds the post replied to and uploads media and the picture of a link card. The server deletes uploads that no record refers to. */
export async function stage(client: Client, draft: Draft<unknown>): Promise<Static<typeof StagedPost>> {
  const { http } = client
  const [mentions, reply, files, card] = await Promise.all([
    resolveMentions(http, draft.text),
    draft.replyTo === null ? null : findReply(http, draft.replyTo.postId),
    stageFiles(client, draft.media),
    stageCard(draft, manifest, (picture) => uploadBlob(http, picture)),
  ])
  return { mentions, reply, ...files, card }
}

type StagedFiles = Pick<Static<typeof StagedPost>, 'blobs' | 'job' | 'isConvertedLate'>

async function stageFiles(client: Client, media: readonly Media[]): Promise<StagedFiles> {
  const [first] = media
  if (first?.kind !== 'video') return { blobs: await Promise.all(media.map((image) => uploadBlob(client.http, image))) }
  const video = await convertVideo(client, first)
  if ('job' in video) return { blobs: [], job: video.job }
  if ('blob' in video) return { blobs: [video.blob] }
  if (first.sizeBytes > video.blobBytesMax)
    throw new PlatformError({ kind: 'rejected', platformCode: 'PayloadTooLarge', ...because('file_too_large') })
  return { blobs: [await uploadBlob(client.http, first)], isConvertedLate: true }
}

async function resolveMentions(http: Http, text: string): Promise<Record<string, string>> {
  const handles = [...new Set(findMentions(text).map(({ value }) => value))]
  const found = await Promise.all(handles.map(async (handle) => [handle, await resolveHandle(http, handle)] as const))
  return Object.fromEntries(found.flatMap(([handle, did]) => (did === null ? [] : [[handle, did]])))
}

/** Null when the handle does not exist. The mention then stays plain text, as in Bluesky's own app. */
async function resolveHandle(http: Http, handle: string): Promise<string | null> {
  try {
    const path = '/xrpc/com.atproto.identity.resolveHandle'
    return (await http.call({ method: 'GET', path, query: { handle }, returns: ResolvedHandle })).did
  } catch (error) {
    if (error instanceof PlatformError && (error.kind === 'rejected' || error.kind === 'gone')) return null
    throw error
  }
}

async function findReply(http: Http, postId: string): Promise<Static<typeof StagedPost>['reply']> {
  const { repo, rkey } = parsePostId(postId)
  const query = { repo, collection, rkey }
  const post = await http.call({ method: 'GET', path: '/xrpc/com.atproto.repo.getRecord', query, returns: PostRecord })
  const parent = { uri: post.uri, cid: post.cid }
  return { parent, root: post.value.reply?.root ?? parent }
}

async function uploadBlob(http: Http, media: Media): Promise<Record<string, unknown>> {
  const isLarge = media.kind === 'video'
  const body = isLarge ? await streamMedia(media) : await readMedia(media)
  const { blob } = await http.call({
    method: 'POST',
    path: '/xrpc/com.atproto.repo.uploadBlob',
    bytes: { body, mimeType: media.mimeType },
    headers: isLarge ? { 'content-length': String(media.sizeBytes) } : {},
    timeoutMs: uploadTimeoutMs(media.sizeBytes),
    returns: Blob,
  })
  return blob
}

/** A post's id is its at:// address: at://{did}/{collection}/{rkey}. */
export function parsePostId(postId: string): { repo: string; rkey: string } {
  const [, repo, rkey] = /^at:\/\/([^/]+)\/[^/]+\/([^/]+)$/.exec(postId) ?? []
  if (repo === undefined || rkey === undefined) {
    throw new PlatformError({ kind: 'gone', platformCode: null, message: 'This is not the address of a Bluesky post.' })
  }
  return { repo, rkey }
}
