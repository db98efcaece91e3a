import type { BodyOf, Media, media } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { updateMedia } from './media.store.ts'
import { presentItem } from './present-media.ts'

export async function changeMedia(
  { ctx, tx, principal, nowMs }: RequestScope,
  id: string,
  { alt, description, tags }: BodyOf<typeof media.update>,
): Promise<Media> {
  const change = {
    ...(alt !== undefined && { alt }),
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags: [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))] }),
    updated_at: new Date(nowMs),
  }
  const row = await updateMedia(tx, { workspaceId: principal.workspaceId, id }, change)
  if (!row) throw problem('media_not_found')
  return presentItem(ctx, tx, row)
}
