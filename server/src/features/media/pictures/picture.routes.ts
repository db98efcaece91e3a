import { createHash } from 'node:crypto'
import { endpoint } from '@carillon/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { route } from '../../../infra/http/route.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { FileMissing } from '../../../infra/storage/storage.ts'
import { findMediaItem } from '../media.store.ts'
import { loadAvatar } from './load-avatar.ts'

/** A picture in the storage that one of our decoders has written. */
type Picture = { key: string; mimeType: string }

/** Thumbnails and avatars for the web app, with the permission of the session or key that asks for them. */
export function pictureRoutes(app: FastifyInstance, ctx: Context): void {
  route(app, pictures.thumbnail, async ({ request, principal }, reply) => {
    const { mediaId } = request.params as { mediaId: string }
    return sendPicture(ctx, request, reply, await findThumbnail(ctx, principal.workspaceId, mediaId))
  })
  route(app, pictures.avatar, async ({ request, principal }, reply) => {
    const { connId } = request.params as { connId: string }
    const key = await loadAvatar(ctx, { workspaceId: principal.workspaceId, id: connId })
    return sendPicture(ctx, request, reply, { key, mimeType: 'image/webp' })
  })
}

async function findThumbnail(ctx: Context, workspaceId: string, id: string): Promise<Picture> {
  const row = await ctx.db.readOnly(workspaceId, (tx) => findMediaItem(tx, { workspaceId, id }))
  if (!row || row.thumbnail_key === null) throw problem('media_not_found')
  return { key: row.thumbnail_key, mimeType: row.type === 'image' ? 'image/webp' : 'image/jpeg' }
}

/** The key of a picture never gets other content, so the key identifies it. */
async function sendPicture(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, mimeType }: Picture,
): Promise<FastifyReply> {
  const etag = `"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`
  void reply.headers({
    'content-type': mimeType,
    'cache-control': 'private, max-age=86400',
    'content-security-policy': "default-src 'none'; sandbox",
    etag,
  })
  if (request.headers['if-none-match'] === etag) return reply.status(304).send()
  const stored = await ctx.storage.get(key).catch((error: unknown) => {
    throw error instanceof FileMissing ? problem('media_not_found') : error
  })
  return reply.send(stored)
}

const Id = Type.String({ minLength: 1, maxLength: 64 })
const closed = { additionalProperties: false }
const common = {
  method: 'GET',
  role: 'viewer',
  workspace: 'path',
  returns: Type.Unknown(),
  ok: 200,
  errors: [],
  audit: null,
} as const

/**
 * Pictures at addresses that do not change, for pages that stay open for longer than a signed URL works. They are not part of the public
 * API, whose answers are JSON.
 */
export const pictures = {
  thumbnail: endpoint({
    ...common,
    id: 'pictures.thumbnail',
    path: '/workspaces/:id/media/:mediaId/thumbnail',
    summary: 'The thumbnail of a media item',
    scope: 'media:read',
    params: Type.Object({ id: Id, mediaId: Id }, closed),
  }),
  avatar: endpoint({
    ...common,
    id: 'pictures.avatar',
    path: '/workspaces/:id/connections/:connId/avatar',
    summary: 'The picture of a connected account, from our own copy',
    scope: 'workspaces:read',
    params: Type.Object({ id: Id, connId: Id }, closed),
  }),
}
