import { type BodyOf, type MediaFolder, type ReturnsOf, type media, mediaFoldersMax } from '@carillon/contract'
import { newId } from '../../infra/db/ids.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { runBulk } from '../../infra/http/run-bulk.ts'
import { problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import {
  type FolderRow,
  countFolderFiles,
  deleteFolder,
  findFolder,
  insertFolder,
  isFolderNameTaken,
  keepFolder,
  listFolderRows,
  updateFolder,
} from './folder.store.ts'
import { updateMedia } from './media.store.ts'

export async function getFolders({ tx, principal: { workspaceId } }: RequestScope): Promise<MediaFolder[]> {
  const files = await countFolderFiles(tx, workspaceId)
  return (await listFolderRows(tx, workspaceId)).map((row) => presentFolder(row, files.get(row.id) ?? 0))
}

export async function createFolder(
  { tx, principal: { workspaceId }, nowMs }: RequestScope,
  { name }: BodyOf<typeof media.createFolder>,
): Promise<Answer<MediaFolder>> {
  await lockQuota(tx, `media folders ${workspaceId}`)
  if ((await listFolderRows(tx, workspaceId)).length >= mediaFoldersMax)
    throw problem('quota_reached', { message: `A workspace has at most ${mediaFoldersMax} folders.` })
  const id = newId(nowMs)
  const now = new Date(nowMs)
  const row = await refuseTakenName(insertFolder(tx, { workspace_id: workspaceId, id, name, created_at: now, updated_at: now }))
  return new Answer(presentFolder(row, 0), { subjectId: id })
}

export async function changeFolder(
  { tx, principal: { workspaceId }, nowMs }: RequestScope,
  id: string,
  { name }: BodyOf<typeof media.updateFolder>,
): Promise<MediaFolder> {
  const folder = await findFolder(tx, { workspaceId, id })
  if (!folder) throw problem('folder_not_found')
  const change = { name: name ?? folder.name, updated_at: new Date(nowMs) }
  const row = await refuseTakenName(updateFolder(tx, { workspaceId, id }, change))
  return presentFolder(row, (await countFolderFiles(tx, workspaceId, id)).get(id) ?? 0)
}

export async function removeFolder({ tx, principal: { workspaceId } }: RequestScope, id: string): Promise<{ files: number }> {
  if (!(await findFolder(tx, { workspaceId, id }))) throw problem('folder_not_found')
  const files = (await countFolderFiles(tx, workspaceId, id)).get(id) ?? 0
  await deleteFolder(tx, { workspaceId, id })
  return { files }
}

export async function bulkMoveMedia(
  { tx, principal: { workspaceId }, nowMs }: RequestScope,
  { ids, folderId }: BodyOf<typeof media.bulkMove>,
): Promise<ReturnsOf<typeof media.bulkMove>> {
  if (folderId !== null && !(await keepFolder(tx, { workspaceId, id: folderId }))) throw problem('folder_not_found')
  const change = { folder_id: folderId, updated_at: new Date(nowMs) }
  // Sorted, so that two requests about the same files lock them in the same order.
  return runBulk(ids.toSorted(), async (id) => {
    if (!(await updateMedia(tx, { workspaceId, id }, change))) throw problem('media_not_found')
  })
}

/** Two requests can choose the same name at the same time, so the index decides and not a question beforehand. */
async function refuseTakenName<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    throw isFolderNameTaken(error) ? problem('folder_name_taken') : error
  }
}

function presentFolder({ id, name, created_at: createdAt, updated_at: updatedAt }: FolderRow, files: number): MediaFolder {
  return { id, name, files, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
