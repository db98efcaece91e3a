import type { MediaFolder } from '@carillon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../support/call.ts'
import { makePng } from '../../support/files.ts'
import { uploadMedia } from '../../support/posts.ts'
import { carillon, uniqueText } from '../../test-stack.ts'

/** Guarantee: files are found by their folder, and outlive it. */

const unknown = 'f'.repeat(24)
let folder: MediaFolder
let other: MediaFolder
let medias: { id: string }[]

beforeAll(async () => {
  folder = await carillon.media.createFolder({ name: uniqueText('Towers') })
  other = await carillon.media.createFolder({ name: uniqueText('Bells') })
  medias = [await uploadMedia(makePng(41), 'one.png'), await uploadMedia(makePng(42), 'two.png')]
})

afterAll(async () => {
  await carillon.media.bulkDelete({ ids: medias.map(({ id }) => id) })
  for (const { id } of [folder, other]) await call(`DELETE /media/folders/${id}`)
})

const idsOf = async (query: { folder: string }) =>
  (await carillon.media.list({ ...query, limit: 100 })).results.map(({ id }) => id)

test('files are moved, found by their folder, and each refused one is named', async () => {
  const [first, second] = medias.map(({ id }) => id) as [string, string]
  expect((await carillon.media.get(first)).folderId).toBe(null)
  const moved = await carillon.media.bulkMove({ ids: [first, second, unknown], folderId: folder.id })
  expect(moved).toMatchObject({ requested: 3, succeeded: 2, failed: [{ id: unknown, code: 'media_not_found' }] })
  await carillon.media.bulkMove({ ids: [second], folderId: other.id })
  expect([await idsOf({ folder: folder.id }), await idsOf({ folder: other.id })]).toEqual([[first], [second]])
  expect((await carillon.media.folders()).filter(({ id }) => [folder.id, other.id].includes(id))).toMatchObject([
    { id: other.id, files: 1 },
    { id: folder.id, files: 1 },
  ])
  expect(await idsOf({ folder: unknown })).toEqual([])
  const refused = await call('POST /media/bulk-move', { body: { ids: [first], folderId: unknown } })
  expect([refused.status, refused.error.code]).toEqual([404, 'folder_not_found'])
})

test('a name is used once, whatever its case', async () => {
  const taken = await call('POST /media/folders', { body: { name: folder.name.toUpperCase() } })
  expect([taken.status, taken.error.code]).toEqual([409, 'folder_name_taken'])
  const renamed = await carillon.media.updateFolder(other.id, { name: uniqueText('Chimes') })
  expect(renamed).toMatchObject({ id: other.id, createdAt: other.createdAt })
})

test('tags of many files change, for each by what it has', async () => {
  const [first, second] = medias.map(({ id }) => id) as [string, string]
  await carillon.media.update(first, { tags: ['summer'] })
  expect(await carillon.media.bulkTag({ ids: [first, second], add: ['autumn'], remove: ['summer'] })).toMatchObject({
    succeeded: 2,
  })
  expect([(await carillon.media.get(first)).tags, (await carillon.media.get(second)).tags]).toEqual([['autumn'], ['autumn']])
})

test('the files of a deleted folder stay, without a folder', async () => {
  const gone = await carillon.media.createFolder({ name: uniqueText('Gone') })
  const [first] = medias.map(({ id }) => id) as [string]
  await carillon.media.bulkMove({ ids: [first], folderId: gone.id })
  expect(await carillon.media.removeFolder(gone.id)).toEqual({ files: 1 })
  expect((await carillon.media.get(first)).folderId).toBe(null)
  expect(await idsOf({ folder: 'none' })).toContain(first)
  expect((await call(`DELETE /media/folders/${gone.id}`)).error.code).toBe('folder_not_found')
})
