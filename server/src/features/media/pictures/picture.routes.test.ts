import { createServer, type Server } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PostApi, testAccount } from '../../posts/post-api.fixture.ts'
import { signInAs } from '../../people/sign-in.fixture.ts'
import { addConnections } from '../../connections/add-connections.ts'
import { decodeSlots } from '../decode/run-decoder.ts'
import { makePng } from '../files.fixture.ts'
import { sweepStorage } from '../sweep-storage.ts'
import { pictureRoutes } from './picture.routes.ts'

let api: PostApi
let dir: string
let host: Server
let hostUrl: string
let requests: string[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-pictures-'))
  const png = await makePng()
  host = createServer((request, response) => {
    requests.push(request.url ?? '')
    // One address answers too late and one is overloaded, both at the first request only.
    const isFirst = requests.length === 1
    if (request.url === '/silent.png' && isFirst) return
    if (request.url === '/busy.png' && isFirst) response.writeHead(503).end()
    else if (/^\/(?:face|silent|busy)/.test(request.url ?? '')) response.end(png)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise((done) => host.once('listening', done))
  hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  api = await PostApi.start(dir, { routes: [pictureRoutes], env: { CARILLON_EGRESS_ALLOW: '127.0.0.1' } })
}, 60_000)

beforeEach(async () => {
  requests = []
  await api.openWorkspace()
})

afterAll(async () => {
  host.close()
  host.closeAllConnections()
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

type Headers = Record<string, string>

const get = (path: string, headers: Headers = { authorization: `Bearer ${api.apiKey}` }) =>
  api.server.app.inject({ url: `/api/workspaces/${api.workspaceId}${path}`, headers })
const codeOf = (answer: { json(): { error: { code: string } } }) => answer.json().error.code

async function setAvatar(url: string | null): Promise<string> {
  const { id } = await api.ctx.db.system
    .updateTable('connection')
    .where('workspace_id', '=', api.workspaceId)
    .where('slug', '=', api.first)
    .set({ avatar_url: url })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/connections/${id}/avatar`
}

/** As if the last attempt at the pictures of this workspace had been longer ago. */
async function letTimePass(time: '1 minute' | '11 minutes' | '50 minutes'): Promise<void> {
  await api.ctx.db.system
    .updateTable('connection')
    .where('workspace_id', '=', api.workspaceId)
    .set({ avatar_at: sql<Date>`avatar_at - ${sql.lit(time)}::interval` })
    .execute()
}

describe('a thumbnail', () => {
  test('has an address that does not change, and is kept by the browser', async () => {
    const path = `/media/${await api.uploadPhoto()}/thumbnail`
    const cookie = await signInAs(api.ctx, api.personId)
    for (const headers of [{ cookie }, { authorization: `Bearer ${api.apiKey}` }]) {
      const picture = await get(path, headers)
      expect(picture.statusCode).toBe(200)
      expect(picture.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'private, max-age=86400',
        'x-content-type-options': 'nosniff',
      })
      expect(picture.rawPayload.subarray(8, 12).toString()).toBe('WEBP')
      const again = await get(path, { ...headers, 'if-none-match': String(picture.headers['etag']) })
      expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
    }
  })

  test('guarantee: is shown to members of its workspace only', async () => {
    const path = `/media/${await api.uploadPhoto()}/thumbnail`
    const { workspaceId } = api
    expect((await get(path, {})).statusCode).toBe(401)
    await api.openWorkspace()
    expect(codeOf(await get(path))).toBe('media_not_found')
    const other = await api.server.app.inject({
      url: `/api/workspaces/${workspaceId}${path}`,
      headers: { authorization: `Bearer ${api.apiKey}` },
    })
    expect(codeOf(other)).toBe('workspace_not_found')
  })
})

/** Guarantee: a page never loads the picture of an account from the platform, and the platform is asked rarely. */
describe('an avatar', () => {
  test('is fetched once, drawn by our own decoder, and fetched again when its address changes', async () => {
    const path = await setAvatar(`${hostUrl}/face.png`)
    const pictures = await Promise.all([get(path), get(path), get(path)])
    expect(pictures.map(({ statusCode, headers }) => [statusCode, headers['content-type']])).toEqual(
      Array.from({ length: 3 }, () => [200, 'image/webp']),
    )
    expect((await get(path)).rawPayload.subarray(8, 12).toString()).toBe('WEBP')
    expect(requests).toEqual(['/face.png'])
    await setAvatar(`${hostUrl}/face-2.png`)
    expect((await get(path)).statusCode).toBe(200)
    expect(requests).toEqual(['/face.png', '/face-2.png'])
  })

  test('guarantee: a file that a person uploads does not wait for the pictures of all accounts', async () => {
    const count = 5 * decodeSlots
    const names = Array.from({ length: count }, (_, n) => `ringer${n}`)
    const made = await addConnections(
      api.ctx,
      api.workspaceId,
      names.map((name) => ({ ...testAccount, handle: name, accountId: name, avatarUrl: `${hostUrl}/face-${name}.png` })),
    )
    let drawn = 0
    const drawing = made.map(async ({ id }) => {
      expect((await get(`/connections/${id}/avatar`)).statusCode).toBe(200)
      drawn++
    })
    await expect.poll(() => requests.length, { timeout: 20_000 }).toBe(count)
    const before = drawn
    await api.uploadPhoto()
    expect(drawn - before).toBeLessThan(count / 2)
    await Promise.all(drawing)
  })

  test('that cannot be fetched is not asked for again at once', async () => {
    const path = await setAvatar(`${hostUrl}/missing.png`)
    for (let n = 0; n < 3; n++) expect(codeOf(await get(path))).toBe('media_not_found')
    expect(requests).toEqual(['/missing.png'])
    expect(codeOf(await get(await setAvatar(null)))).toBe('media_not_found')
  })

  test.each(['/silent.png', '/busy.png'])(
    'guarantee: of an address that did not answer is asked for again after a minute (%s)',
    async (file) => {
      const path = await setAvatar(`${hostUrl}${file}`)
      for (let n = 0; n < 3; n++) expect(codeOf(await get(path))).toBe('media_not_found')
      expect(requests).toEqual([file])
      await letTimePass('1 minute')
      expect((await get(path)).statusCode).toBe(200)
      expect(requests).toEqual([file, file])
    },
    30_000,
  )

  test('that the address does not have is asked for again after an hour', async () => {
    const path = await setAvatar(`${hostUrl}/missing.png`)
    expect(codeOf(await get(path))).toBe('media_not_found')
    await letTimePass('50 minutes')
    expect(codeOf(await get(path))).toBe('media_not_found')
    expect(requests).toEqual(['/missing.png'])
    await letTimePass('11 minutes')
    expect(codeOf(await get(path))).toBe('media_not_found')
    expect(requests).toEqual(['/missing.png', '/missing.png'])
  })

  test('guarantee: is never fetched from an internal address', async () => {
    expect(codeOf(await get(await setAvatar('http://127.0.0.2/face.png')))).toBe('media_not_found')
    expect(codeOf(await get(await setAvatar('http://169.254.169.254/face.png')))).toBe('media_not_found')
  })

  test('guarantee: of another workspace is unknown', async () => {
    const path = await setAvatar(`${hostUrl}/face.png`)
    await api.openWorkspace()
    expect(codeOf(await get(path))).toBe('connection_not_found')
    expect(requests).toEqual([])
  })

  test('leaves the store after its time and is fetched again', async () => {
    const path = await setAvatar(`${hostUrl}/face.png`)
    await get(path)
    await api.ctx.db.system
      .updateTable('storage_removal')
      .set({ due_at: new Date(0) })
      .execute()
    await api.ctx.db.system
      .updateTable('connection')
      .set({ avatar_at: new Date(Date.now() - 7 * 86_400_000) })
      .execute()
    await sweepStorage(api.ctx)
    expect((await get(path)).statusCode).toBe(200)
    expect(requests).toHaveLength(2)
  })
})
