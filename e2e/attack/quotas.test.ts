import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAddress } from '../support/browser.ts'
import { call, type CallOptions } from '../support/call.ts'
import { findMails } from '../support/mailbox.ts'
import { queryDatabase } from '../support/query-database.ts'
import { startSecondServer, type SecondServer } from '../support/second-server.ts'
import { createPerson } from '../support/server-env.ts'

const megabyte = 1024 ** 2
let server: SecondServer
let person: { workspaceId: string; apiKey: string }

beforeAll(async () => {
  server = await startSecondServer({
    CARILLON_QUOTA_WORKSPACES: '3',
    CARILLON_QUOTA_WEBHOOKS: '5',
    CARILLON_QUOTA_INVITATIONS: '4',
    CARILLON_QUOTA_MAILS_PER_DAY: '8',
    CARILLON_QUOTA_MAILS_PER_ADDRESS: '2',
    CARILLON_QUOTA_STORAGE_BYTES: String(150 * megabyte),
    CARILLON_PLAN_CHANGES: 'operator',
  })
  person = await createPerson(newAddress('greedy'))
}, 60_000)
afterAll(() => server.stop())

const send = <T = { id: string }>(route: string, options: CallOptions = {}) =>
  call<T>(route, { key: person.apiKey, workspace: person.workspaceId, baseUrl: server.baseUrl, ...options })

/** Sends the request until it is refused, and returns how often it was accepted and the code of the refusal. */
async function repeat(times: number, request: () => Promise<{ status: number; error: { code: string } }>) {
  const replies = await Promise.all(Array.from({ length: times }, request))
  const refused = replies.filter(({ status }) => status >= 400)
  return { accepted: times - refused.length, codes: [...new Set(refused.map(({ error }) => error.code))] }
}

test('guarantee: a person creates no 50 workspaces', async () => {
  const create = () => send('POST /workspaces', { body: { name: 'One more' } })
  expect(await repeat(20, create)).toEqual({ accepted: 2, codes: ['quota_reached'] })
})

test('guarantee: a workspace sends its events to no 300 webhooks', async () => {
  const create = () => send('POST /webhooks', { body: { url: 'https://127.0.0.1:9/flood', events: ['upload.failed'] } })
  expect(await repeat(20, create)).toEqual({ accepted: 5, codes: ['quota_reached'] })
})

test('guarantee: strangers get no flood of mails', async () => {
  const { workspaceId } = person
  const invite = (email: string) => send(`POST /workspaces/${workspaceId}/invitations`, { body: { email, role: 'viewer' } })
  const victim = newAddress('victim')
  for (let n = 0; n < 2; n++) {
    const { data } = await invite(victim)
    await send(`DELETE /workspaces/${workspaceId}/invitations/${data.id}`)
  }
  const again = await invite(victim)
  expect([again.status, again.error.code]).toEqual([429, 'mail_limit_reached'])
  expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(3600)
  expect((await findMails(victim)).length).toBeLessThanOrEqual(2)
  const { accepted, codes } = await repeat(20, () => invite(newAddress('stranger')))
  expect(accepted).toBe(4)
  expect(codes.toSorted()).toEqual(['mail_limit_reached', 'quota_reached'].filter((code) => codes.includes(code)))
})

test('guarantee: the files of a workspace do not fill the disk', async () => {
  const start = () => send('POST /media/uploads', { body: { name: 'a.mp4', sizeBytes: 1000 } })
  expect(await repeat(10, start)).toEqual({ accepted: 2, codes: ['storage_full'] })
})

test('guarantee: many workspaces together do not fill the disk, not even with fifty uploads at once', async () => {
  const [row] = await queryDatabase<{ bytes: string }>('select sum_installation_storage($1) as bytes', [64 * megabyte])
  const room = Number(row?.bytes) + 3 * 64 * megabyte
  const full = await startSecondServer({ CARILLON_QUOTA_STORAGE_BYTES_TOTAL: String(room) })
  try {
    const people = await Promise.all(Array.from({ length: 5 }, () => createPerson(newAddress('one-of-many'))))
    let n = 0
    const start = () => {
      const { apiKey: key, workspaceId: workspace } = people[n++ % people.length] ?? person
      const body = { name: 'a.mp4', sizeBytes: 1000 }
      return call('POST /media/uploads', { key, workspace, baseUrl: full.baseUrl, body })
    }
    expect(await repeat(50, start)).toEqual({ accepted: 3, codes: ['installation_storage_full'] })
  } finally {
    await full.stop()
  }
})

test('guarantee: on a hosted installation an owner does not choose their own plan', async () => {
  const reply = await send(`PATCH /workspaces/${person.workspaceId}`, { body: { plan: 'business' } })
  expect([reply.status, reply.error.code]).toEqual([403, 'plan_fixed'])
})
