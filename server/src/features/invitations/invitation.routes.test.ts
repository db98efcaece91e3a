import type { Role } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import type { Mail } from '../../infra/mail/mailer.ts'
import { memberRoutes } from '../members/member.routes.ts'
import { insertMember, updateRole } from '../members/member.store.ts'
import { setUpWorkspace } from '../workspaces/set-up-workspace.ts'
import { acceptRoutes } from './accept.routes.ts'
import { cancelInvitations } from './cancel-invitations.ts'
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
