import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, startMaildev, type Maildev } from '@carillon/stack/services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { invitationRoutes } from '../../features/invitations/invitation.routes.ts'
import { accountRoutes } from '../../features/people/account.routes.ts'
import { setUpWorkspace } from '../../features/workspaces/set-up-workspace.ts'
import { sendQueuedMails } from '../../features/invitations/send-queued-mails.ts'
import { openMailServer } from './smtp.fixture.ts'

let dir: string
let database: TestDatabase
let ports: { smtpPort: number; webPort: number }
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-mail-'))
  database = await startDatabase()
  const [smtpPort = 0, webPort = 0] = await freePorts(2)
  ports = { smtpPort, webPort }
})
afterAll(async () => {
  await database.stop()
  await rm(dir, { recursive: true, force: true })
})

let people = 0

/** A workspace whose mail goes to that address, with a clock that can be moved. */
async function open(smtpUrl: string) {
  let aheadMs = 0
  const { ctx, app, close } = openServer({
    database,
    env: {
      CARILLON_PUBLIC_URL: 'http://localhost:3000',
      CARILLON_SMTP_URL: smtpUrl,
      CARILLON_MAIL_FROM: 'bells@carillon.example',
    },
    replace: { nowMs: () => Date.now() + aheadMs },
    api: [invitationRoutes],
    root: [accountRoutes],
  })
  const person = `ringer${++people}@example.com`
  const { workspaceId, apiKey } = await setUpWorkspace(ctx, { workspace: 'Tower', email: person })
  const url = `/api/workspaces/${workspaceId}/invitations`
  const headers = { authorization: `Bearer ${apiKey}` }
  const guest = `guest${people}@example.com`
  return {
    ctx,
    app,
    person,
    guest,
    invite: async (): Promise<string> =>
      (await app.inject({ method: 'POST', url, headers, payload: { email: guest, role: 'viewer' } })).json().data.id,
    revokeInvitation: (id: string) => app.inject({ method: 'DELETE', url: `${url}/${id}`, headers }),
    mailState: async (): Promise<string> => (await app.inject({ method: 'GET', url, headers })).json().data[0]?.mail,
    waiting: () => ctx.db.system.selectFrom('outgoing_mail').selectAll().execute(),
    async later(ms: number) {
      aheadMs += ms
      await sendQueuedMails(ctx)
    },
    [Symbol.asyncDispose]: close,
  }
}

type Arrived = { to: { address: string }[]; subject: string; text: string }

async function arrived({ url }: Maildev, to: string): Promise<Arrived[]> {
  const all = (await (await fetch(`${url}/api/email`)).json()) as Arrived[]
  return all.filter((mail) => mail.to.some(({ address }) => address === to))
}

const nobody = () => `smtp://127.0.0.1:${ports.smtpPort}`
const startServer = () => startMaildev({ dir: join(dir, 'mail'), ...ports })
const minuteMs = 60_000

/** Guarantee: a mail that was promised is not lost because no mail server was there. */
describe('while the mail server is away', () => {
  test('an invitation waits, says so, and goes out once when it is back', async () => {
    await using world = await open(nobody())
    await world.invite()
    await expect.poll(async () => (await world.waiting())[0]?.attempts).toBe(1)
    await world.later(minuteMs)
    expect(await world.mailState()).toBe('waiting')
    const maildev = await startServer()
    try {
      await world.later(minuteMs)
      expect(await world.mailState()).toBe('sent')
      await world.later(minuteMs)
      expect(await arrived(maildev, world.guest)).toMatchObject([
        { subject: expect.stringContaining('Tower'), text: expect.stringContaining('/invitations/accept?token=') },
      ])
      expect(await world.waiting()).toEqual([])
    } finally {
      await maildev.kill()
    }
  })

  test('so does a link to set a password, sealed until then', async () => {
    await using world = await open(nobody())
    const headers = { origin: 'http://localhost:3000' }
    const payload = { email: world.person }
    await world.app.inject({ method: 'POST', url: '/auth/request-password-reset', headers, payload })
    await expect.poll(world.waiting).toHaveLength(1)
    const [row] = await world.waiting()
    for (const word of [world.person, 'token=', 'password']) expect(row?.letter_sealed.includes(word)).toBe(false)
    const maildev = await startServer()
    try {
      await world.later(minuteMs)
      expect(await arrived(maildev, world.person)).toMatchObject([{ text: expect.stringContaining('/auth/password?token=') }])
    } finally {
      await maildev.kill()
    }
  })

  test('an invitation taken back takes its mail along', async () => {
    await using world = await open(nobody())
    const id = await world.invite()
    await expect.poll(world.waiting).toHaveLength(1)
    expect((await world.revokeInvitation(id)).statusCode).toBe(200)
    expect(await world.waiting()).toEqual([])
  })

  test('after a day it is given up, and the invitation says so', async () => {
    await using world = await open(nobody())
    await world.invite()
    await world.later(1440 * minuteMs)
    expect(await world.mailState()).toBe('failed')
    expect(await world.waiting()).toEqual([])
  })
})

test('a mail that its server refuses is not tried again', async () => {
  const server = await openMailServer('550 nobody here')
  await using world = await open(server.url)
  await world.invite()
  await expect.poll(world.mailState).toBe('failed')
  expect(await world.waiting()).toEqual([])
  server.close()
})
