import type { Post } from '@carillon/sdk'
import { ahead, bluesky, unique } from '../world.ts'
import { call, get, type CallOptions } from './call.ts'
import { fileOf, formOf } from './files.ts'

export type Made = { success: boolean; requestId: string; uploadId: string; draftId: string; usage: Usage }
export type Usage = { count: number; limit: number; remaining: number }
export type MediaItem = { id: string; name: string; type: string; mimeType: string; url: string; [field: string]: unknown }

export const dayMs = 86_400_000
export const unknownId = '0123456789abcdef01234567'

/** A text for one connection, with more or other fields. */
export function newText(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { connections: [bluesky], text: unique('text'), ...more }
}

export function create<T = Made>(more: Record<string, unknown> = {}, options: CallOptions = {}) {
  return call<T>('POST /content/text', { ...options, body: newText(more) })
}

/** Asks for a post that would wait for months: what is refused is refused, and what is not does no harm. */
export function attempt(more: Record<string, unknown>) {
  return create({ scheduledAt: ahead(90 * dayMs), ...more })
}

export async function draft(more: Record<string, unknown> = {}, kind = 'text'): Promise<string> {
  const { draftId } = await get<Made>(`POST /content/${kind}`, { body: newText({ saveDraft: true, ...more }) })
  return draftId
}

export async function scheduled(more: Record<string, unknown> = {}): Promise<string> {
  const made = await get<Made>('POST /content/text', { body: newText({ scheduledAt: ahead(30 * dayMs), ...more }) })
  return made.uploadId
}

export function readPost(id: string): Promise<Post> {
  return get<Post>(`GET /content/${id}`)
}

/** Puts a file into the library. */
export function upload(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<MediaItem> {
  return get<MediaItem>('POST /media/upload', { form: formOf(['file', fileOf(bytes, name)]) })
}

/** The paths a refusal names. */
export function pathsOf({ error }: { error: { details?: { path: string }[] } | undefined }): string[] {
  return (error?.details ?? []).map(({ path }) => path)
}
