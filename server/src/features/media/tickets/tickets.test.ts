import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewUploadTicket, UploadTicket } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiKeyRoutes } from '../../api-keys/api-key.routes.ts'
import { updateRole, deleteMember } from '../../members/member.store.ts'
import { PostApi } from '../../posts/post-api.fixture.ts'
import { makePng } from '../files.fixture.ts'
import { sweepStorage } from '../sweep-storage.ts'
import { ticketRoutes } from './ticket.routes.ts'

/** Guarantee: an address takes one file, for a short time, and never more than its maker could add. */

let api: PostApi
let dir: string
let png: Buffer
let nowMs = Date.now()

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-ticket-'))
  api = await PostApi.start(dir, { routes: [apiKeyRoutes], root: [ticketRoutes], replace: { nowMs: () => nowMs } })
  png = Buffer.from(await makePng())
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const make = async (body: object = {}) => (await api.send<NewUploadTicket>('POST', '/media/upload-tickets', body)).data
const look = async (id: string) => (await api.send<UploadTicket>('GET', `/media/upload-tickets/${id}`)).data
const pathOf = ({ url }: { url: string }) => new URL(url).pathname

type Sent = { success: boolean; data: { id: string; name: string }; error: { code: string } }

async function put(path: string, payload: Buffer = png): Promise<{ status: number } & Sent> {
  const response = await api.server.app.inject({ method: 'PUT', url: path, payload, headers: { 'content-type': 'image/png' } })
  return { status: response.statusCode, ...response.json<Sent>() }
}

async function countFiles(): Promise<number> {
  const { count } = await api.ctx.db.system
    .selectFrom('media')
    .where('workspace_id', '=', api.workspaceId)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Everything in it happens in a workspace of its own. */
async function inNewWorkspace(run: () => Promise<void>): Promise<void> {
  const { workspaceId, apiKey, personId, first, second } = api
  await api.openWorkspace()
  await run()
  Object.assign(api, { workspaceId, apiKey, personId, first, second })
}

const ended = { status: 409, error: { code: 'upload_ticket_ended' } }

test('takes one file with its name and alt text, and no second one', async () => {
  const ticket = await make({ alt: 'A bell' })
  expect(await look(ticket.id)).toMatchObject({ status: 'open', mediaId: null })
  const sent = await put(`${pathOf(ticket)}/bell.png`)
  expect([sent.status, sent.data.name]).toEqual([201, 'bell.png'])
  expect((await api.send('GET', `/media/${sent.data.id}`)).data).toMatchObject({ name: 'bell.png', alt: 'A bell', usedBy: [] })
  expect(await look(ticket.id)).toMatchObject({ status: 'used', mediaId: sent.data.id })
  const before = await countFiles()
  expect(await put(pathOf(ticket))).toMatchObject(ended)
  expect(await countFiles()).toBe(before)
})

test('of twenty files at once it takes one', async () => {
  const path = pathOf(await make())
  const before = await countFiles()
  const sent = await Promise.all(Array.from({ length: 20 }, () => put(path)))
  expect(sent.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(sent.filter(({ status }) => status !== 201).map(({ error }) => error.code))).toEqual(
    new Set(['upload_ticket_ended']),
  )
  expect(await countFiles()).toBe(before + 1)
})

test('two files that were both let in, because the first took long, are one', async () => {
  const ticket = await make()
  const claimed = () =>
    api.ctx.db.system.updateTable('upload_ticket').where('id', '=', ticket.id).set({ claimed_until: null }).execute()
  const before = await countFiles()
  const racing = Array.from({ length: 6 }, () => put(pathOf(ticket)))
  for (let n = 0; n < 20; n++) await claimed()
  const sent = await Promise.all(racing)
  expect(sent.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(await countFiles()).toBe(before + 1)
})

test('takes nothing after 15 minutes, at a changed address, or of another ticket', async () => {
  const [ticket, other] = [await make(), await make()]
  const path = pathOf(ticket)
  expect(await put(`${path.slice(0, -1)}${path.endsWith('x') ? 'y' : 'x'}`)).toMatchObject(ended)
  expect(await put(path.replace(ticket.id, other.id))).toMatchObject(ended)
  nowMs += 15 * 60_000
  expect(await put(path)).toMatchObject(ended)
  expect(await look(ticket.id)).toMatchObject({ status: 'ended' })
  nowMs += 86_400_001
  await sweepStorage(api.ctx)
  expect((await api.send('GET', `/media/upload-tickets/${ticket.id}`)).error?.code).toBe('upload_not_found')
})

test('a file that is too large or of a wrong type is refused, and the address can be used again', async () => {
  const path = pathOf(await make({ sizeBytesMax: png.length }))
  const before = await countFiles()
  expect(await put(path, Buffer.concat([png, Buffer.alloc(1)]))).toMatchObject({
    status: 413,
    error: { code: 'media_too_large' },
  })
  expect(await put(path, Buffer.from('<script>'))).toMatchObject({ status: 415, error: { code: 'media_type_refused' } })
  expect(await countFiles()).toBe(before)
  expect(await put(path)).toMatchObject({ status: 201 })
})

test('a size that is not announced is limited too, and a transfer that breaks off leaves the address open', async () => {
  await api.server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.server.app.server.address() as AddressInfo
  const path = pathOf(await make({ sizeBytesMax: 2000 }))
  const body = new Blob([new Uint8Array(png.subarray(0, 60)), new Uint8Array(50_000)]).stream()
  const large = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'PUT', body, duplex: 'half' } as RequestInit)
  expect([large.status, ((await large.json()) as Sent).error.code]).toEqual([413, 'media_too_large'])

  const other = await make()
  const socket = connect(port, '127.0.0.1')
  socket.write(`PUT ${pathOf(other)} HTTP/1.1\r\nHost: a\r\nContent-Type: image/png\r\nContent-Length: ${png.length}\r\n\r\n`)
  socket.write(png.subarray(0, 50))
  const claim = () =>
    api.ctx.db.system.selectFrom('upload_ticket').where('id', '=', other.id).select('claimed_until').executeTakeFirst()
  await expect.poll(async () => (await claim())?.claimed_until).not.toBeNull()
  socket.destroy()
  await expect.poll(async () => (await claim())?.claimed_until).toBeNull()
  expect(await put(pathOf(other))).toMatchObject({ status: 201 })
})

test('ends when its maker leaves, may only read, or when its key is revoked or ends', async () => {
  await inNewWorkspace(async () => {
    const { workspaceId, personId } = api
    const role = (to: 'viewer' | 'owner') => api.ctx.db.tenant(workspaceId, (tx) => updateRole(tx, workspaceId, personId, to))
    const path = pathOf(await make())
    await role('viewer')
    expect(await put(path)).toMatchObject(ended)
    await role('owner')

    const key = await api.send<{ id: string; key: string }>('POST', `/workspaces/${workspaceId}/api-keys`, {
      label: 'assistant',
      scopes: ['media:write'],
      expiresAt: new Date(nowMs + 60_000).toISOString(),
    })
    const mine = api.apiKey
    api.apiKey = key.data.key
    const [ofKey, ofEnding] = [await make(), await make()]
    api.apiKey = mine
    expect(Date.parse(ofEnding.expiresAt)).toBe(Math.trunc(nowMs + 60_000))
    await api.send('DELETE', `/workspaces/${workspaceId}/api-keys/${key.data.id}`)
    expect(await put(pathOf(ofKey))).toMatchObject(ended)

    await api.ctx.db.tenant(workspaceId, (tx) => deleteMember(tx, workspaceId, personId))
    expect(await put(path)).toMatchObject(ended)
    expect(await countFiles()).toBe(0)
  })
})

test('a key without media:write makes none, and another workspace does not see it', async () => {
  const ticket = await make()
  const narrow = await api.send<{ key: string }>('POST', `/workspaces/${api.workspaceId}/api-keys`, {
    label: 'reader',
    scopes: ['media:read', 'content:write'],
  })
  const mine = api.apiKey
  api.apiKey = narrow.data.key
  expect((await api.send('POST', '/media/upload-tickets', {})).error?.code).toBe('scope_missing')
  api.apiKey = mine
  await inNewWorkspace(async () => {
    expect((await api.send('GET', `/media/upload-tickets/${ticket.id}`)).error?.code).toBe('upload_not_found')
  })
})

test('neither the database nor a repeated answer has the secret, and the log of the workspace has both steps', async () => {
  const headers = {
    authorization: `Bearer ${api.apiKey}`,
    'x-workspace-id': api.workspaceId,
    'idempotency-key': 'ticket-1',
    'content-type': 'application/json',
  }
  const ask = () => api.server.app.inject({ method: 'POST', url: '/api/media/upload-tickets', headers, payload: '{}' })
  const first = (await ask()).json<{ data: NewUploadTicket }>().data
  const again = (await ask()).json<{ data: NewUploadTicket }>().data
  expect([again.id, again.url]).toEqual([first.id, ''])
  const token = first.url.slice(first.url.lastIndexOf('/') + 1)
  const rows = await api.ctx.db.system.selectFrom('upload_ticket').selectAll().execute()
  expect(JSON.stringify(rows.map((row) => ({ ...row, token_hash: row.token_hash.toString('latin1') })))).not.toContain(token)
  const { data } = await put(pathOf(first))
  const entries = await api.ctx.db.system
    .selectFrom('audit_entry')
    .where('subject_id', 'in', [first.id, data.id])
    .select(['action', 'subject_id'])
    .orderBy('action')
    .execute()
  expect(entries).toEqual([
    { action: 'media.create_upload_ticket', subject_id: first.id },
    { action: 'media.upload_by_ticket', subject_id: data.id },
  ])
})

test('a person opens it as a page, sends a file with a form, and is told what happened', async () => {
  const path = pathOf(await make())
  const { app } = api.server
  const get = (language: string) => app.inject({ url: path, headers: { accept: 'text/html', 'accept-language': language } })
  const page = await get('en')
  expect([page.statusCode, page.headers['cache-control'], page.headers['referrer-policy']]).toEqual([
    200,
    'no-store',
    'no-referrer',
  ])
  expect(page.body).toContain('enctype="multipart/form-data"')
  expect(page.body).not.toContain('<script')
  expect((await get('de')).body).toContain('Eine Datei senden')

  const form = async (file: Buffer) => {
    const data = new FormData()
    data.set('file', new File([new Uint8Array(file)], 'phone.png'))
    const request = new Request('http://a', { method: 'POST', body: data })
    const headers = Object.fromEntries(request.headers)
    return app.inject({ method: 'POST', url: path, headers, payload: Buffer.from(await request.arrayBuffer()) })
  }
  const refused = await form(Buffer.from('no picture'))
  expect([refused.statusCode, refused.body.includes('The file was not accepted')]).toEqual([415, true])
  const sent = await form(png)
  expect([sent.statusCode, sent.body.includes('The file has arrived')]).toEqual([201, true])
  for (const answer of [await form(png), await get('en')])
    expect([answer.statusCode, answer.body.includes('takes no file any more')]).toEqual([409, true])
})
