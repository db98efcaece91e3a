import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, startMaildev, type Maildev } from '@carillon/stack/services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { invitationRoutes } from '../../features/invitations/invitation.routes.ts'
import { accountRoutes } from '../../features/people/account.routes.ts'
import { setUpWorkspace } from '../../features/workspaces/set-up-install.ts'
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

/** A server with a workspace that sends mail to this SMTP server. `advance` moves its clock and sends what is due. */
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
    queuedMails: () => ctx.db.system.selectFrom('outgoing_mail').selectAll().execute(),
    async advance(ms: number) {
      aheadMs += ms
      await sendQueuedMails(ctx)
    },
    [Symbol.asyncDispose]: close,
  }
}

type ReceivedMail = { to: { address: string }[]; subject: string; text: string }

async function receivedMails({ url }: Maildev, to: string): Promise<ReceivedMail[]> {
  const all = (await (await fetch(`${url}/api/email`)).json()) as ReceivedMail[]
  return all.filter((mail) => mail.to.some(({ address }) => address === to))
}

const smtpUrl = () => `smtp://127.0.0.1:${ports.smtpPort}`
const startMailServer = () => startMaildev({ dir: join(dir, 'mail'), ...ports })
const minuteMs = 60_000
/** On a busy machine. */
const patience = { timeout: 15_000 }

/** Guarantee: an accepted mail is not lost because the mail server is down. */
describe('while the mail server is down', () => {
  test('an invitation is shown as waiting, and is sent once when the server is back', async () => {
    await using server = await open(smtpUrl())
    await server.invite()
    await expect.poll(async () => (await server.queuedMails())[0]?.attempts, patience).toBe(1)
    await server.advance(minuteMs)
    expect(await server.mailState()).toBe('waiting')
    const maildev = await startMailServer()
    try {
      await server.advance(minuteMs)
      expect(await server.mailState()).toBe('sent')
      await server.advance(minuteMs)
      expect(await receivedMails(maildev, server.guest)).toMatchObject([
        { subject: expect.stringContaining('Tower'), text: expect.stringContaining('/join?token=') },
      ])
      expect(await server.queuedMails()).toEqual([])
    } finally {
      await maildev.kill()
    }
  })

  test('a password link is stored encrypted, and is sent when the server is back', async () => {
    await using server = await open(smtpUrl())
    const headers = { origin: 'http://localhost:3000' }
    const payload = { email: server.person }
    await server.app.inject({ method: 'POST', url: '/auth/request-password-reset', headers, payload })
    await expect.poll(server.queuedMails, patience).toHaveLength(1)
    const [row] = await server.queuedMails()
    for (const text of [server.person, 'token=', 'password']) expect(row?.letter_sealed.includes(text)).toBe(false)
    const maildev = await startMailServer()
    try {
      await server.advance(minuteMs)
      expect(await receivedMails(maildev, server.person)).toMatchObject([{ text: expect.stringContaining('/reset?token=') }])
    } finally {
      await maildev.kill()
    }
  })

  test('revoking an invitation deletes its mail', async () => {
    await using server = await open(smtpUrl())
    const id = await server.invite()
    await expect.poll(server.queuedMails, patience).toHaveLength(1)
    expect((await server.revokeInvitation(id)).statusCode).toBe(200)
    expect(await server.queuedMails()).toEqual([])
  })

  test('after a day the mail is given up, and the invitation shows it as failed', async () => {
    await using server = await open(smtpUrl())
    await server.invite()
    // While the first attempt runs, nobody else takes the mail.
    await expect.poll(async () => (await server.queuedMails())[0]?.attempts, patience).toBe(1)
    await server.advance(1440 * minuteMs)
    expect(await server.mailState()).toBe('failed')
    expect(await server.queuedMails()).toEqual([])
  })
})

test('a mail that the server rejects is not tried again', async () => {
  const smtpServer = await openMailServer('550 no such mailbox')
  await using server = await open(smtpServer.url)
  await server.invite()
  await expect.poll(server.mailState, patience).toBe('failed')
  expect(await server.queuedMails()).toEqual([])
  smtpServer.close()
})
