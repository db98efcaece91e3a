import type { Role } from '@carillon/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { readConfig } from '../../config.ts'
import { secretKeys } from '../../../test/logins.ts'
import { type Mail, createMailer } from '../../infra/mail/mailer.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { memberRoutes } from '../members/member.routes.ts'
import { insertMember, updateRole } from '../members/member.store.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { acceptRoutes } from './accept.routes.ts'
import { cancelInvitations } from './manage-invitations.ts'
import { invitationRoutes } from './invitation.routes.ts'
import { sendQueuedMails } from './send-queued-mails.ts'

let database: TestDatabase
let server: TestServer
let owner: { workspaceId: string; apiKey: string; personId: string }
let admin: typeof owner
const mails: Mail[] = []

beforeAll(async () => {
  database = await startDatabase()
  const mail = {
    async send(sent: Mail) {
      mails.push(sent)
      return 'sent' as const
    },
    close() {},
  }
  const api = [invitationRoutes, memberRoutes({ afterRoleChange: cancelInvitations })]
  server = openServer({ database, replace: { mail }, api, root: [acceptRoutes] })
}, 60_000)

afterAll(async () => {
  await server.close()
  await database.stop()
})

const newAddress = () => `${newUuid()}@example.com`

beforeEach(async () => {
  owner = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: newAddress() })
  admin = await setUpWorkspace(server.ctx, { workspace: 'Other', email: newAddress() })
  const { workspaceId } = owner
  await insertMember(server.ctx.db.system, { workspaceId, personId: admin.personId, role: 'admin', joinedAt: new Date() })
})

async function send(method: 'POST' | 'GET' | 'PATCH' | 'DELETE', path: string, { by, body }: { by: string; body?: object }) {
  const url = `/api/workspaces/${owner.workspaceId}${path}`
  const response = await server.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${by}` },
    ...(body && { payload: body }),
  })
  return response.json<{ data: { id: string; email: string }[] }>()
}

/** Invites a person and returns the address that accepts the token of its mail. */
async function invite(by: string, role: Role): Promise<string> {
  const email = newAddress()
  await send('POST', '/invitations', { by, body: { email, role } })
  await sendQueuedMails(server.ctx)
  // The request sends its mail after its answer, and may have claimed it first.
  const mail = await vi.waitUntil(() => mails.find(({ to }) => to === email), { timeout: 10_000 })
  const token = /\/join\?token=(\S+)/.exec(mail.text)?.[1]
  if (token === undefined) throw new Error('the mail has no link')
  return `/invitations/accept?token=${token}`
}

async function accept(link: string, method: 'POST' | 'GET' = 'POST') {
  const response = await server.app.inject({ method, url: link })
  return { status: response.statusCode, code: response.json<{ error?: { code: string } }>().error?.code }
}

/** Guarantee: an invitation gives nothing that its inviter could not give any more. */
describe('an invitation', () => {
  test('of a member who is removed does not bring them back', async () => {
    const link = await invite(admin.apiKey, 'admin')
    await send('DELETE', `/members/${admin.personId}`, { by: owner.apiKey })
    expect(await accept(link)).toEqual({ status: 404, code: 'invitation_not_found' })
    expect((await send('GET', '/invitations', { by: owner.apiKey })).data).toEqual([])
  })

  test('of a member with a lower role now is cancelled', async () => {
    const link = await invite(admin.apiKey, 'viewer')
    await send('PATCH', `/members/${admin.personId}`, { by: owner.apiKey, body: { role: 'editor' } })
    expect(await accept(link)).toEqual({ status: 404, code: 'invitation_not_found' })
  })

  test('is kept if the member may still make it', async () => {
    await send('PATCH', `/members/${admin.personId}`, { by: owner.apiKey, body: { role: 'owner' } })
    const [asOwner, asViewer] = [await invite(admin.apiKey, 'owner'), await invite(admin.apiKey, 'viewer')]
    await send('PATCH', `/members/${admin.personId}`, { by: owner.apiKey, body: { role: 'admin' } })
    expect(await accept(asOwner)).toEqual({ status: 404, code: 'invitation_not_found' })
    expect((await accept(asViewer)).status).toBe(200)
  })

  test('is checked again when it is accepted, however the inviter lost their role', async () => {
    const link = await invite(admin.apiKey, 'admin')
    await server.ctx.db.tenant(owner.workspaceId, (tx) => updateRole(tx, owner.workspaceId, admin.personId, 'editor'))
    expect(await accept(link, 'GET')).toEqual({ status: 409, code: 'invitation_ended' })
    expect(await accept(link)).toEqual({ status: 409, code: 'invitation_ended' })
  })

  test('of a member who is still an admin is accepted', async () => {
    const link = await invite(admin.apiKey, 'editor')
    expect((await accept(link, 'GET')).status).toBe(200)
    expect((await accept(link)).status).toBe(200)
  })
})

/** Guarantee: an installation without a mail server can have members, and a link is shown to nobody who could gain something by it. */
describe('the link of an invitation', () => {
  type Invited = { data: { id: string; email: string; mail: string; link: string | null } }
  let isMailSent = false
  let silent: TestServer

  beforeAll(() => {
    const mailer = createMailer(null, server.ctx.log)
    const mailSettings = { CARILLON_SMTP_URL: 'smtp://127.0.0.1:9', CARILLON_MAIL_FROM: 'bells@carillon.example' }
    silent = openServer({ database, replace: { mail: mailer }, api: [invitationRoutes], root: [acceptRoutes] })
    const withMail = readConfig({ ...mailSettings, DATABASE_URL: database.url, CARILLON_SECRET_KEYS: secretKeys })
    const config = silent.ctx.config
    Object.defineProperty(silent.ctx, 'config', { get: () => (isMailSent ? { ...config, mail: withMail.mail } : config) })
  })
  afterEach(() => void (isMailSent = false))
  afterAll(() => silent.close())

  async function ask<Data>(
    method: 'POST' | 'GET',
    by: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Data> {
    const url = `/api/workspaces/${owner.workspaceId}/invitations`
    const sent = { authorization: `Bearer ${by}`, ...headers }
    return (await silent.app.inject({ method, url, headers: sent, ...(body && { payload: body }) })).json<Data>()
  }
  const inviteSilently = async (by: string, role: Role, headers?: Record<string, string>) =>
    (await ask<Invited>('POST', by, { email: newAddress(), role }, headers)).data
  const linksFor = async (by: string) => (await ask<{ data: Invited['data'][] }>('GET', by)).data.map(({ link }) => link)

  test('is in the answer and in the list of the inviter, and is accepted once', async () => {
    const { link, mail } = await inviteSilently(owner.apiKey, 'editor')
    expect(mail).toBe('not_configured')
    expect(await linksFor(owner.apiKey)).toEqual([link])
    const token = new URL(link ?? '').searchParams.get('token')
    const path = `/invitations/accept?token=${token}`
    const join = () => silent.app.inject({ method: 'POST', url: path })
    expect([(await join()).statusCode, (await join()).statusCode]).toEqual([200, 409])
    expect(await linksFor(owner.apiKey)).toEqual([null])
  })

  test('is not shown to another admin, who could take a higher role with it', async () => {
    await inviteSilently(owner.apiKey, 'owner')
    expect(await linksFor(admin.apiKey)).toEqual([null])
  })

  test('is not shown to a key that only reads', async () => {
    const { link } = await inviteSilently(owner.apiKey, 'admin')
    expect(link).not.toBeNull()
    const { system } = silent.ctx.db
    await system
      .updateTable('api_key')
      .set({ scopes: ['workspaces:read'] })
      .where('person_id', '=', owner.personId)
      .execute()
    clearKeyCache(silent.ctx)
    expect(await linksFor(owner.apiKey)).toEqual([null])
  })

  test('is not shown where mail is sent: the inviter could confirm an address that is not theirs', async () => {
    isMailSent = true
    expect((await inviteSilently(owner.apiKey, 'editor')).link).toBeNull()
    expect(await linksFor(owner.apiKey)).toEqual([null])
  })

  test('is not stored with the answer of an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newUuid() }
    const body = { email: newAddress(), role: 'viewer' }
    const first = await ask<Invited>('POST', owner.apiKey, body, headers)
    const again = await ask<Invited>('POST', owner.apiKey, body, headers)
    expect([first.data.link === null, again.data]).toEqual([false, { ...first.data, link: null }])
  })
})
