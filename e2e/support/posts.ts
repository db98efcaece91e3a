import type { Post } from '@carillon/sdk'
import { bluesky, timeAfter, uniqueText } from '../test-stack.ts'
import { call, callData, type CallOptions } from './call.ts'
import { fileOf, formOf } from './files.ts'

export type CreatedPost = { success: boolean; requestId: string; uploadId: string; draftId: string; usage: Usage }
type Usage = { count: number; limit: number; remaining: number }
export type MediaItem = { id: string; name: string; type: string; mimeType: string; url: string; [field: string]: unknown }

export const dayMs = 86_400_000
export const unknownId = '0123456789abcdef01234567'

/** The body of a create request for one connection. `more` adds or replaces fields. */
export function textBody(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { connections: [bluesky], text: uniqueText('text'), ...more }
}

export function createPost<T = CreatedPost>(more: Record<string, unknown> = {}, options: CallOptions = {}) {
  return call<T>('POST /content/text', { ...options, body: textBody(more) })
}

/** Tries to create a post that is due in months, so that nothing is published if it is accepted. */
export function tryCreate(more: Record<string, unknown>) {
  return createPost({ scheduledAt: timeAfter(90 * dayMs), ...more })
}

export async function createDraft(more: Record<string, unknown> = {}, kind = 'text'): Promise<string> {
  const { draftId } = await callData<CreatedPost>(`POST /content/${kind}`, { body: textBody({ saveDraft: true, ...more }) })
  return draftId
}

export async function createScheduled(more: Record<string, unknown> = {}): Promise<string> {
  const made = await callData<CreatedPost>('POST /content/text', {
    body: textBody({ scheduledAt: timeAfter(30 * dayMs), ...more }),
  })
  return made.uploadId
}

export function readPost(id: string): Promise<Post> {
  return callData<Post>(`GET /content/${id}`)
}

/** Uploads a file to the media library. */
export function uploadMedia(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<MediaItem> {
  return callData<MediaItem>('POST /media/upload', { form: formOf(['file', fileOf(bytes, name)]) })
}

/** The paths of the fields that an error names. */
export function errorPaths({ error }: { error: { details?: { path: string }[] } | undefined }): string[] {
  return (error?.details ?? []).map(({ path }) => path)
}
