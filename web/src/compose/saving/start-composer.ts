import type { Post } from '@carillon/sdk'
import { carillon } from '../../api/client.ts'
import { wallTimeIn } from '../../time/zoned-day.ts'
import { allFiles, emptyState, hasContent, type ComposeState, type PostFile } from '../state/compose-state.ts'
import { fromPost } from '../state/post-change.ts'
import { type LocalCopy, claimCopy, dropLocalCopy, hasUnsaved, listLocalCopies, newKey } from './local-copy.ts'

export type StartRequest = {
  workspaceId: string
  zone: string
  draftId: string | undefined
  /** The wall-clock time to begin with, from the calendar. */
  wall: string | null
  accounts: readonly string[]
  signal: AbortSignal
}

export type Start = {
  copy: LocalCopy
  /** The text was found in this browser: an earlier page ended before it was saved. */
  isRestored: boolean
  /** Not null if it cannot be changed any more. */
  published: Post | null
}

/** What the composer begins with: a draft or a scheduled post of the server, what an earlier page left in this browser, or an empty page. */
export async function startComposer(request: StartRequest): Promise<Start> {
  const { workspaceId, draftId, signal } = request
  const copies = listLocalCopies(workspaceId)
  if (draftId === undefined) return startNew(request, copies)
  const post = await carillon.content.get(draftId, { workspaceId, signal })
  const isScheduled = post.status === 'scheduled'
  const local = copies.find(({ postId }) => postId === draftId)
  const copy: LocalCopy = {
    ...newCopy(workspaceId, fromPost(post, { zone: request.zone, wallTime: wallTimeIn })),
    id: local?.id ?? newKey(),
    postId: draftId,
    updatedAt: post.updatedAt,
    publishKey: local?.publishKey ?? null,
    isScheduled,
  }
  if (post.status !== 'draft' && !isScheduled) {
    if (local) dropLocalCopy(local.id)
    return { copy, isRestored: false, published: post }
  }
  // The copy keeps its own version: if somebody changed the draft since, saving it says so.
  if (local && hasUnsaved(local) && (await claimCopy(local.id)))
    return { copy: { ...local, isScheduled, state: resumed(local.state) }, isRestored: true, published: null }
  return { copy: { ...copy, state: await withSizes(copy.state, request) }, isRestored: false, published: null }
}

async function startNew({ workspaceId, zone, wall, accounts }: StartRequest, copies: readonly LocalCopy[]): Promise<Start> {
  for (const copy of copies) {
    // The draft on the server may exist already, still empty: the page ended before it was in the address.
    const isLost = hasUnsaved(copy) && copy.updatedAt === null && hasContent(copy.state)
    if (isLost && (await claimCopy(copy.id)))
      return { copy: { ...copy, state: resumed(copy.state) }, isRestored: true, published: null }
  }
  const copy = newCopy(workspaceId, emptyState({ zone, wall, accounts }))
  await claimCopy(copy.id)
  return { copy, isRestored: false, published: null }
}

function newCopy(workspaceId: string, state: ComposeState): LocalCopy {
  return {
    id: newKey(),
    workspaceId,
    state,
    postId: null,
    updatedAt: null,
    savedRevision: state.revision,
    sent: null,
    createKey: newKey(),
    publishKey: null,
    writtenAt: new Date().toISOString(),
  }
}

/** A file that was still being uploaded ended with its page. */
function resumed(state: ComposeState): ComposeState {
  return { ...withFiles(state, (file) => (file.mediaId === null ? { ...file, problem: 'interrupted' } : file)), tab: null }
}

/** What only the library knows about the files. A file that is not there any more is left for the server to report. */
async function withSizes(state: ComposeState, { workspaceId, signal }: StartRequest): Promise<ComposeState> {
  const ids = new Set(
    allFiles(state).flatMap(({ mediaId }) => (mediaId !== null && /^[0-9a-f]{24}$/.test(mediaId) ? mediaId : [])),
  )
  const medias = await Promise.all([...ids].map((id) => carillon.media.get(id, { workspaceId, signal }).catch(() => null)))
  const known = new Map(medias.flatMap((media) => (media ? [[media.id, media]] : [])))
  return withFiles(state, (file) => {
    const media = known.get(file.mediaId ?? '')
    if (!media) return file
    const { name, type, mimeType, sizeBytes, width, height, durationSeconds, pages } = media
    return { ...file, name, kind: type, mimeType, sizeBytes, width, height, durationSeconds, pages }
  })
}

function withFiles(state: ComposeState, change: (file: PostFile) => PostFile): ComposeState {
  const own = Object.entries(state.own).map(([slug, fields]) => [
    slug,
    fields.files ? { ...fields, files: fields.files.map(change) } : fields,
  ])
  return { ...state, files: state.files.map(change), own: Object.fromEntries(own) }
}
