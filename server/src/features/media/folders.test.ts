import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BulkResult, ExportPage, Media, MediaFolder } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Static } from 'typebox'
import { PostApi } from '../posts/post-api.fixture.ts'
import { workspaceDataRoutes } from '../workspace-data/workspace-data.routes.ts'

/** Guarantee: a file is in at most one folder, only in one of its own workspace, and outlives it. */

const unknown = 'f'.repeat(24)

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-folders-'))
  api = await PostApi.start(dir, { routes: [workspaceDataRoutes] })
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const create = (name: string) => api.send<MediaFolder>('POST', '/media/folders', { name })
const makeFolder = async (name = 'Towers') => (await create(name)).data
const folders = async () => (await api.send<MediaFolder[]>('GET', '/media/folders')).data
const move = (ids: string[], folderId: string | null) =>
  api.send<Static<typeof BulkResult>>('POST', '/media/bulk-move', { ids, folderId })
const folderOf = async (id: string) => (await api.send<Media>('GET', `/media/${id}`)).data.folderId
const found = async (query: string) => {
  const { results, total } = (await api.send<{ results: Media[]; total: number }>('GET', `/media?${query}`)).data
  expect(total).toBe(results.length)
  return results.map(({ id }) => id)
}

describe('a folder', () => {
  test('is created, listed by name, renamed and deleted', async () => {
    const [towers, bells] = [await makeFolder(), await makeFolder('bells')]
    expect(towers).toMatchObject({ name: 'Towers', files: 0 })
    expect(await folders()).toEqual([bells, towers])
    const { data: renamed } = await api.send<MediaFolder>('PATCH', `/media/folders/${towers.id}`, { name: 'Arches' })
    expect(renamed).toMatchObject({ id: towers.id, name: 'Arches', createdAt: towers.createdAt })
    expect((await api.send('DELETE', `/media/folders/${bells.id}`)).data).toEqual({ files: 0 })
    expect(await folders()).toEqual([renamed])
    expect((await api.send('DELETE', `/media/folders/${bells.id}`)).error?.code).toBe('folder_not_found')
    expect((await api.send('PATCH', `/media/folders/${bells.id}`, { name: 'x' })).error?.code).toBe('folder_not_found')
  })

  test('has a name of its own, whatever the case, and a sensible form', async () => {
    const [own, other] = [await makeFolder('Über uns'), await makeFolder('Other')]
    expect((await create('ÜBER UNS')).error?.code).toBe('folder_name_taken')
    expect((await api.send('PATCH', `/media/folders/${other.id}`, { name: 'über uns' })).error?.code).toBe('folder_name_taken')
    expect((await api.send('PATCH', `/media/folders/${own.id}`, { name: 'ÜBER uns' })).status).toBe(200)
    for (const name of ['', ' x', 'a\nb', 'x'.repeat(61)]) expect((await create(name)).error?.code).toBe('request_invalid')
    await api.openWorkspace()
    expect((await create('Über uns')).status).toBe(201)
  })

  test('guarantee: fifty requests for the same name at once make one', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => create(at % 2 === 0 ? 'Harvest' : 'HARVEST')))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect([...new Set(replies.flatMap(({ error }) => (error ? [error.code] : [])))]).toEqual(['folder_name_taken'])
    expect(await folders()).toHaveLength(1)
  })

  test('guarantee: is one of at most 200 in a workspace, also when many are made at once', async () => {
    await api.ctx.db.system
      .insertInto('media_folder')
      .values(
        Array.from({ length: 198 }, (_, at) => ({
          workspace_id: api.workspaceId,
          id: at.toString(16).padStart(24, '0'),
          name: `Folder ${at}`,
          created_at: new Date(),
          updated_at: new Date(),
        })),
      )
      .execute()
    const replies = await Promise.all(Array.from({ length: 5 }, (_, at) => create(`More ${at}`)))
    expect(replies.map(({ error }) => error?.code ?? 'made').toSorted()).toEqual([
      'made',
      'made',
      'quota_reached',
      'quota_reached',
      'quota_reached',
    ])
  })
})

describe('the files of a folder', () => {
  test('are put into it, found by it, counted, and taken out of it', async () => {
    const [towers, bells] = [await makeFolder(), await makeFolder('Bells')]
    const [first, second, third] = [await api.uploadPhoto(), await api.uploadPhoto(), await api.uploadPhoto()]
    expect(await folderOf(first)).toBe(null)
    expect((await move([first, second], towers.id)).data).toEqual({ requested: 2, succeeded: 2, failed: [] })
    await move([second], bells.id)
    expect([await folderOf(first), await folderOf(second), await folderOf(third)]).toEqual([towers.id, bells.id, null])
    expect([await found(`folder=${towers.id}`), await found(`folder=${bells.id}`), await found('folder=none')]).toEqual([
      [first],
      [second],
      [third],
    ])
    expect(await found(`folder=${towers.id}&type=video`)).toEqual([])
    expect((await folders()).map(({ name, files }) => [name, files])).toEqual([
      ['Bells', 1],
      ['Towers', 1],
    ])
    await move([second], null)
    expect(await found('folder=none')).toEqual([third, second])
    expect((await api.send('GET', '/media?folder=x')).error?.code).toBe('request_invalid')
  })

  test('each of a bulk request is moved or refused for itself', async () => {
    const folder = await makeFolder()
    const photo = await api.uploadPhoto()
    expect((await move([unknown, photo, photo], folder.id)).data).toMatchObject({
      requested: 2,
      succeeded: 1,
      failed: [{ id: unknown, code: 'media_not_found' }],
    })
    expect(await folderOf(photo)).toBe(folder.id)
    expect((await move([photo], unknown)).error?.code).toBe('folder_not_found')
    expect(await folderOf(photo)).toBe(folder.id)
  })

  test('guarantee: stay when their folder is deleted', async () => {
    const folder = await makeFolder()
    const [inside, outside] = [await api.uploadPhoto(), await api.uploadPhoto()]
    await move([inside], folder.id)
    expect((await api.send('DELETE', `/media/folders/${folder.id}`)).data).toEqual({ files: 1 })
    expect(await found('folder=none')).toEqual([outside, inside])
    expect(await folderOf(inside)).toBe(null)
    // A filter that names a folder which is gone finds nothing.
    expect(await found(`folder=${folder.id}`)).toEqual([])
  })

  test('guarantee: a folder of another workspace looks like an unknown one, and its files like unknown ones', async () => {
    const theirs = await makeFolder('Theirs')
    const theirPhoto = await api.uploadPhoto()
    await move([theirPhoto], theirs.id)
    const neighbour = [api.workspaceId, api.apiKey] as const
    await api.openWorkspace()
    const [own, photo] = [await makeFolder('Own'), await api.uploadPhoto()]
    expect(await folders()).toEqual([own])
    for (const id of [theirs.id, unknown]) {
      expect((await move([photo], id)).error).toMatchObject({
        code: 'folder_not_found',
        message: (await move([photo], unknown)).error?.message,
      })
      expect((await api.send('PATCH', `/media/folders/${id}`, { name: 'x' })).error?.code).toBe('folder_not_found')
      expect((await api.send('DELETE', `/media/folders/${id}`)).error?.code).toBe('folder_not_found')
      expect(await found(`folder=${id}`)).toEqual([])
    }
    expect((await move([theirPhoto], own.id)).data.failed).toMatchObject([{ id: theirPhoto, code: 'media_not_found' }])
    expect(await folderOf(photo)).toBe(null)
    ;[api.workspaceId, api.apiKey] = neighbour
    expect(await folders()).toMatchObject([{ id: theirs.id, name: 'Theirs', files: 1 }])
    expect(await folderOf(theirPhoto)).toBe(theirs.id)
  })

  test('are in the export, with the folders', async () => {
    const folder = await makeFolder()
    const photo = await api.uploadPhoto()
    await move([photo], folder.id)
    const part = async (name: string) =>
      (await api.send<ExportPage>('GET', `/workspaces/${api.workspaceId}/export?cursor=${name}`)).data.records
    expect(await part('mediaFolders')).toMatchObject([{ id: folder.id, name: 'Towers', files: 1 }])
    expect(await part('media')).toMatchObject([{ id: photo, folderId: folder.id }])
  })

  test('go with the workspace', async () => {
    const folder = await makeFolder()
    await move([await api.uploadPhoto()], folder.id)
    await api.ctx.db.system.deleteFrom('workspace').where('id', '=', api.workspaceId).execute()
    const left = await api.ctx.db.system.selectFrom('media_folder').where('id', '=', folder.id).selectAll().execute()
    expect(left).toEqual([])
  })
})

describe('the tags of many files', () => {
  const tag = (body: object) => api.send<Static<typeof BulkResult>>('POST', '/media/bulk-tag', body)
  const tagsOf = async (id: string) => (await api.send<Media>('GET', `/media/${id}`)).data.tags

  test('are added and taken away, for each file by what it has', async () => {
    const [first, second] = [await api.uploadPhoto(), await api.uploadPhoto()]
    await api.send('PATCH', `/media/${first}`, { tags: ['tower', 'summer'] })
    const { data } = await tag({ ids: [first, second, unknown], add: [' autumn ', 'tower'], remove: ['summer'] })
    expect(data).toMatchObject({ requested: 3, succeeded: 2, failed: [{ id: unknown, code: 'media_not_found' }] })
    expect([await tagsOf(first), await tagsOf(second)]).toEqual([
      ['tower', 'autumn'],
      ['autumn', 'tower'],
    ])
  })

  test('guarantee: are at most fifty; a file that would have more is refused and the others are not', async () => {
    const [full, free] = [await api.uploadPhoto(), await api.uploadPhoto()]
    const fifty = Array.from({ length: 50 }, (_, at) => `tag ${at}`)
    await api.send('PATCH', `/media/${full}`, { tags: fifty })
    expect((await tag({ ids: [full, free], add: ['one more'] })).data).toMatchObject({
      succeeded: 1,
      failed: [{ id: full, code: 'request_invalid' }],
    })
    expect([await tagsOf(full), await tagsOf(free)]).toEqual([fifty, ['one more']])
    expect((await tag({ ids: [full], add: ['one more'], remove: ['tag 0'] })).data.succeeded).toBe(1)
    expect((await tag({ ids: [full], add: ['a,b'] })).error?.code).toBe('request_invalid')
  })
})
