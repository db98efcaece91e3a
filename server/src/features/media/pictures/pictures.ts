import { endpoint } from '@carillon/contract'
import { Type } from 'typebox'

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
