import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { invitationRoutes } from '../../features/invitations/invitation.routes.ts'
import { acceptInvitation } from '../../features/invitations/accept-invitation.ts'
import { cancelInvitations } from '../../features/invitations/manage-invitations.ts'
import { tokenHash } from '../../features/invitations/present-invitation.ts'
import { reserveMail } from '../../features/invitations/reserve-mail.ts'
import { makePng } from '../../features/media/files.fixture.ts'
import { sumInstallationStorage } from '../../features/media/media.store.ts'
import { mediaRoutes } from '../../features/media/media.routes.ts'
import { memberRoutes } from '../../features/members/member.routes.ts'
import { webhookRoutes } from '../../features/webhooks/webhook.routes.ts'
import { setUpWorkspace } from '../../features/workspaces/set-up-install.ts'
import { workspaceRoutes } from '../../features/workspaces/workspace.routes.ts'
import { newUuid } from '../db/ids.ts'
import { lockQuota } from './quota.store.ts'

const megabyte = 1024 ** 2
let dir: string
let database: TestDatabase
let server: TestServer
let aheadMs: number
let workspaceId: string
let apiKey: string
let personId: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-quota-'))
  database = await startDatabase()
  server = openServer({
    database,
    env: {
      CARILLON_EGRESS_ALLOW: '127.0.0.0/8',
      CARILLON_MEDIA_DIR: join(dir, 'media'),
      CARILLON_QUOTA_WORKSPACES: '3',
      CARILLON_QUOTA_WEBHOOKS: '2',
      CARILLON_QUOTA_INVITATIONS: '3',
      CARILLON_QUOTA_MAILS_PER_DAY: '6',
      CARILLON_QUOTA_MAILS_PER_ADDRESS: '2',
      CARILLON_QUOTA_STORAGE_BYTES: String(200 * megabyte),
    },
    replace: { nowMs: () => Date.now() + aheadMs },
    api: [invitationRoutes, mediaRoutes, memberRoutes({ afterRoleChange: cancelInvitations }), webhookRoutes, workspaceRoutes],
  })
}, 60_000)

afterAll(async () => {
  await server.close()
  await database.stop()
  await rm(dir, { recursive: true, force: true })
})

beforeEach(async () => {
  aheadMs = 0
  ;({ workspaceId, apiKey, personId } = await setUpWorkspace(server.ctx, {
    workspace: 'Tower',
    email: `${newUuid()}@example.com`,
  }))
})

type Sent = { body?: object; workspace?: string; key?: string }

async function send(method: 'POST' | 'PATCH' | 'DELETE', path: string, { body, workspace = workspaceId, key }: Sent = {}) {
  const response = await server.app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspace, ...(key && { 'idempotency-key': key }) },
    ...(body && { payload: body }),
  })
  const { data, error } = response.json<{ data: { id: string }; error?: { code: string; message: string } }>()
  const retryAfter = Number(response.headers['retry-after'] ?? 0)
  return { status: response.statusCode, id: data?.id, code: error?.code, message: error?.message, retryAfter }
}

const newWorkspace = () => send('POST', '/workspaces', { body: { name: 'Belfry' } })
const newAddress = () => `${newUuid()}@example.com`
const invite = (email = newAddress(), workspace = workspaceId, key = '') =>
  send('POST', `/workspaces/${workspace}/invitations`, { body: { email, role: 'viewer' }, workspace, key })
const uninvite = (id: string, workspace = workspaceId) => send('DELETE', `/workspaces/${workspace}/invitations/${id}`)

test('a person owns a limited number of workspaces, also with concurrent requests', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, newWorkspace))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(2)
  expect(made.find(({ status }) => status !== 201)).toMatchObject({ status: 403, code: 'quota_reached' })
})

describe('guarantee: a person who owns as many workspaces as allowed gets no other one, so that nobody passes theirs on', () => {
  /** A person who owns three workspaces, and the first of them. */
  async function createFullOwner() {
    const email = newAddress()
    const first = await setUpWorkspace(server.ctx, { workspace: 'Full', email })
    for (let n = 0; n < 2; n++) await setUpWorkspace(server.ctx, { workspace: 'More', email })
    const giveUpOne = () =>
      server.ctx.db.tenant(first.workspaceId, (tx) => sql`delete from workspace where id = ${first.workspaceId}`.execute(tx))
    return { email, fullId: first.personId, giveUpOne }
  }

  test('by a change of their role', async () => {
    const { fullId, giveUpOne } = await createFullOwner()
    const makeOwner = () => send('PATCH', `/workspaces/${workspaceId}/members/${fullId}`, { body: { role: 'owner' } })
    await sql`
      insert into member (workspace_id, person_id, role, joined_at)
      values (${workspaceId}, ${fullId}, 'viewer', now())`.execute(server.ctx.db.system)
    expect(await makeOwner()).toMatchObject({ status: 403, code: 'quota_reached' })
    await giveUpOne()
    expect((await makeOwner()).status).toBe(200)
    // A person who is owner already stays it.
    expect((await makeOwner()).status).toBe(200)
  })

  test('by an invitation', async () => {
    const { email, giveUpOne } = await createFullOwner()
    const token = newUuid()
    await sql`
      insert into invitation
      values (${workspaceId}, ${newUuid().slice(0, 24)}, ${email}, 'owner', ${tokenHash(token)}, ${personId}, 'sent',
        now() + interval '1 day', null, now())`.execute(server.ctx.db.system)
    const accept = () => acceptInvitation(server.ctx, token, { traceId: newUuid() })
    await expect(accept()).rejects.toMatchObject({ code: 'quota_reached' })
    await giveUpOne()
    expect(await accept()).toMatchObject({ workspaceId, role: 'owner' })
  })
})

test('a workspace has a limited number of webhooks, also with concurrent requests', async () => {
  const body = { url: 'https://127.0.0.1:9/hook', events: ['upload.failed'] }
  const create = () => send('POST', '/webhooks', { body })
  const made = await Promise.all(Array.from({ length: 5 }, create))
  const accepted = made.filter(({ status }) => status === 201)
  expect(accepted).toHaveLength(2)
  expect(made.find(({ status }) => status !== 201)).toMatchObject({ status: 403, code: 'quota_reached' })
  await send('DELETE', `/webhooks/${accepted[0]?.id}`)
  expect((await create()).status).toBe(201)
})

test('a workspace has a limited number of open invitations', async () => {
  const first = await invite()
  for (let n = 0; n < 2; n++) expect((await invite()).status).toBe(201)
  expect(await invite()).toMatchObject({ status: 403, code: 'quota_reached' })
  await uninvite(first.id)
  expect((await invite()).status).toBe(201)
})

test('guarantee: an address is not invited again and again', async () => {
  const email = newAddress()
  for (let n = 0; n < 2; n++) await uninvite((await invite(email)).id)
  expect(await invite(email.toUpperCase())).toMatchObject({ status: 429, code: 'mail_limit_reached' })
  // A colleague may be invited to several workspaces.
  const other = await newWorkspace()
  expect(await invite(email, other.id)).toMatchObject({ status: 201 })
  expect((await invite()).status).toBe(201)
  aheadMs = 86_401_000
  expect((await invite(email)).status).toBe(201)
})

test('guarantee: a person does not flood an address from many workspaces', async () => {
  const quotas = { ...server.ctx.config.quotas, mailsPerDay: 1000 }
  const ctx = { ...server.ctx, config: { ...server.ctx.config, quotas } }
  const person = { personId: newUuid(), email: newAddress() }
  for (let n = 0; n < 20; n++) await reserveMail(ctx, { ...person, workspaceId: newUuid() })
  await expect(reserveMail(ctx, { ...person, workspaceId: newUuid() })).rejects.toMatchObject({ code: 'mail_limit_reached' })
  await reserveMail(ctx, { ...person, email: newAddress(), workspaceId: newUuid() })
})

test('guarantee: a person sends a limited number of mails a day, in all their workspaces together', async () => {
  const other = await newWorkspace()
  for (let n = 0; n < 3; n++) {
    await uninvite((await invite()).id)
    await uninvite((await invite(newAddress(), other.id)).id, other.id)
  }
  const refused = await invite(newAddress(), other.id)
  expect(refused).toMatchObject({ status: 429, code: 'mail_limit_reached' })
  expect(refused.retryAfter).toBeGreaterThan(86_000)
})

test('a request that sends no mail is not counted', async () => {
  const [email, key] = [newAddress(), newUuid()]
  expect((await invite(email, workspaceId, key)).status).toBe(201)
  for (let n = 0; n < 6; n++) {
    expect(await invite(email)).toMatchObject({ status: 409, code: 'invitation_pending' })
    expect(await invite(email, workspaceId, key)).toMatchObject({ status: 201 })
  }
  expect((await invite()).status).toBe(201)
})

test('the files of a workspace have a limited size, and open uploads count', async () => {
  const upload = (sizeBytes: number) => send('POST', '/media/uploads', { body: { name: 'a.mp4', sizeBytes } })
  // A small upload counts as a whole part, because its part may be larger than it says.
  expect((await upload(1)).status).toBe(201)
  const { id } = await upload(120 * megabyte)
  expect(await upload(100 * megabyte)).toMatchObject({ status: 403, code: 'storage_full' })
  await send('DELETE', `/media/uploads/${id}`)
  expect((await upload(100 * megabyte)).status).toBe(201)
})

describe('guarantee: many workspaces together store no more than the installation has room for', () => {
  const part = 64 * megabyte
  /** What can be stored besides what the other tests have stored. */
  async function openCapped(bytes: number) {
    const used = await sumInstallationStorage(server.ctx.db.system)
    const capped = openServer({
      database,
      env: {
        CARILLON_EGRESS_ALLOW: '127.0.0.0/8',
        CARILLON_MEDIA_DIR: join(dir, 'media'),
        CARILLON_QUOTA_STORAGE_BYTES_TOTAL: String(used + bytes),
      },
      api: [mediaRoutes],
    })
    const tenants: Awaited<ReturnType<typeof setUpWorkspace>>[] = []
    for (let n = 0; n < 5; n++)
      tenants.push(await setUpWorkspace(capped.ctx, { workspace: 'One of many', email: `${newUuid()}@example.com` }))
    const call = async (method: 'POST' | 'DELETE', path: string, n: number, more: object = {}, headers: object = {}) => {
      const { apiKey: key, workspaceId: workspace } = tenants[n % 5] ?? { apiKey: '', workspaceId: '' }
      const response = await capped.app.inject({
        method,
        url: `/api${path}`,
        headers: { authorization: `Bearer ${key}`, 'x-workspace-id': workspace, ...headers },
        ...more,
      })
      const { data, error } = response.json<{ data: { id: string }; error?: { code: string } }>()
      return { n, status: response.statusCode, id: data?.id, code: error?.code }
    }
    const start = (n: number) => call('POST', '/media/uploads', n, { payload: { name: 'a.mp4', sizeBytes: 1 } })
    return { capped, tenants, call, start, used }
  }

  test('also with fifty uploads at once', async () => {
    const { capped, tenants, call, start, used } = await openCapped(7 * part)
    const started = await Promise.all(Array.from({ length: 50 }, (_, n) => start(n)))
    const accepted = started.filter(({ status }) => status === 201)
    expect(accepted).toHaveLength(7)
    expect(new Set(started.flatMap(({ status, code }) => (status === 201 ? [] : [`${status} ${code}`])))).toEqual(
      new Set(['403 installation_storage_full']),
    )
    expect(await sumInstallationStorage(capped.ctx.db.system)).toBe(used + 7 * part)

    // What is aborted, and what belonged to a workspace that is deleted, makes room.
    const [first] = accepted
    await call('DELETE', `/media/uploads/${first?.id}`, first?.n ?? 0)
    expect([(await start(1)).status, (await start(1)).status]).toEqual([201, 403])
    for (const { workspaceId: id } of tenants)
      await capped.ctx.db.tenant(id, (tx) => sql`delete from workspace where id = ${id}`.execute(tx))
    expect(await sumInstallationStorage(capped.ctx.db.system)).toBe(used)
    await capped.close()
  })

  test('who adds files waits until the others have been counted', async () => {
    const { capped, start } = await openCapped(7 * part)
    // The first request also opens what the others find open.
    await start(0)
    let answered = false
    let answer: Promise<{ status: number }> | undefined
    await capped.ctx.db.system.transaction().execute(async (tx) => {
      await lockQuota(tx, 'storage of the installation')
      answer = start(0).finally(() => (answered = true))
      await sleep(1500)
      expect(answered).toBe(false)
    })
    expect((await answer)?.status).toBe(201)
    await capped.close()
  })

  test('files count by their size until they are removed, and when nothing fits no file is received', async () => {
    const { capped, tenants, call, start, used } = await openCapped(part + 2000)
    const { system } = capped.ctx.db
    const store = async (n: number, sizeBytes: number) => {
      const id = newUuid().slice(0, 24)
      await sql`
        insert into media (workspace_id, id, name, type, mime_type, size_bytes, sha256, traits, storage_key, created_at, updated_at)
        values (${tenants[n]?.workspaceId}, ${id}, 'bell.png', 'image', 'image/png', ${sizeBytes}, '\\x00', '{}', ${id}, now(), now())`.execute(
        system,
      )
      return id
    }
    const first = await store(0, 1500)
    expect(await sumInstallationStorage(system)).toBe(used + 1500)
    expect((await start(1)).status).toBe(201)
    expect(await start(2)).toMatchObject({ status: 403, code: 'installation_storage_full' })
    await store(2, 500)

    const form = new FormData()
    form.append('file', new File(['no picture'], 'bell.png'))
    const request = new Request('http://here', { method: 'POST', body: form })
    const payload = Buffer.from(await request.arrayBuffer())
    const type = { 'content-type': request.headers.get('content-type') ?? '' }
    expect(await call('POST', '/media/upload', 3, { payload }, type)).toMatchObject({
      status: 403,
      code: 'installation_storage_full',
    })
    expect((await call('DELETE', `/media/${first}`, 0)).status).toBe(200)
    expect(await sumInstallationStorage(system)).toBe(used + part + 500)
    await capped.close()
  })
})

test('a file that does not fit is refused and not kept', async () => {
  for (let n = 0; n < 3; n++)
    expect((await send('POST', '/media/uploads', { body: { name: 'a', sizeBytes: 66 * megabyte } })).status).toBe(201)
  await server.ctx.db.tenant(workspaceId, (tx) =>
    tx
      .updateTable('media_upload')
      .where('workspace_id', '=', workspaceId)
      .set({ size_bytes: 70 * megabyte })
      .execute(),
  )
  const form = new FormData()
  form.append('file', new File([new Uint8Array(await makePng())], 'bell.png'))
  const request = new Request('http://here', { method: 'POST', body: form })
  const response = await server.app.inject({
    method: 'POST',
    url: '/api/media/upload',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'x-workspace-id': workspaceId,
      'content-type': request.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  expect([response.statusCode, response.json().error.code]).toEqual([403, 'storage_full'])
})
