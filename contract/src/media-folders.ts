import { Type, type Static } from 'typebox'
import { BulkResult } from './content.ts'
import { endpoint } from './endpoint.ts'
import { IdParam, Nullable, ObjectId, StrictObject, Timestamp } from './primitives.ts'

/** At most this many folders in the media library of a workspace. */
export const mediaFoldersMax = 200

const Name = Type.String({
  pattern: '^\\S(.*\\S)?$',
  maxLength: 60,
  description: 'Unique in the workspace, whatever the case',
  'x-message': 'Must be a name of one line that does not begin or end with a space.',
})

const FolderId = Type.String({ pattern: '^[0-9a-f]{24}$', maxLength: 24, 'x-message': 'Must be the id of a folder.' })

export const MediaFolder = StrictObject({
  id: ObjectId,
  name: Type.String(),
  files: Type.Integer({ minimum: 0, description: 'How many files are in it' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type MediaFolder = Static<typeof MediaFolder>

/** In the query of the list. */
export const folderFilter = {
  folder: Type.Optional(
    Type.String({
      pattern: '^([0-9a-f]{24}|none)$',
      maxLength: 24,
      'x-message': 'Must be the id of a folder, or none.',
      description: 'Only media in this folder, by id; none: only media without a folder',
    }),
  ),
}

const read = { scope: 'media:read', role: 'viewer', workspace: 'header', ok: 200, audit: null } as const
const write = { scope: 'media:write', role: 'editor', workspace: 'header', ok: 200 } as const

export const folderEndpoints = {
  folders: endpoint({
    ...read,
    id: 'media.folders',
    method: 'GET',
    path: '/media/folders',
    summary: 'The folders of the media library, by name',
    returns: Type.Array(MediaFolder),
    errors: [],
  }),
  createFolder: endpoint({
    ...write,
    id: 'media.createFolder',
    method: 'POST',
    path: '/media/folders',
    summary: 'Create a folder of the media library',
    body: StrictObject({ name: Name }),
    returns: MediaFolder,
    ok: 201,
    errors: ['folder_name_taken', 'quota_reached'],
    audit: 'media.create_folder',
  }),
  updateFolder: endpoint({
    ...write,
    id: 'media.updateFolder',
    method: 'PATCH',
    path: '/media/folders/:id',
    summary: 'Rename a folder; its files stay in it',
    params: IdParam,
    body: StrictObject({ name: Type.Optional(Name) }),
    returns: MediaFolder,
    errors: ['folder_not_found', 'folder_name_taken'],
    audit: 'media.update_folder',
  }),
  removeFolder: endpoint({
    ...write,
    id: 'media.removeFolder',
    method: 'DELETE',
    path: '/media/folders/:id',
    summary: 'Delete a folder; its files stay in the library without a folder',
    params: IdParam,
    returns: StrictObject({ files: Type.Integer({ minimum: 0, description: 'How many files were in it' }) }),
    errors: ['folder_not_found'],
    audit: 'media.delete_folder',
  }),
  bulkMove: endpoint({
    ...write,
    id: 'media.bulkMove',
    method: 'POST',
    path: '/media/bulk-move',
    summary: 'Put many media items into a folder, or take them out of theirs',
    body: StrictObject({
      ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100 }),
      folderId: Nullable(FolderId),
    }),
    returns: BulkResult,
    errors: ['folder_not_found'],
    audit: 'media.bulk_move',
  }),
}
