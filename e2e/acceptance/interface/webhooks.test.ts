import type { Delivery, Webhook } from '@carillon/sdk'
import { expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { createPost, dayMs, errorPaths } from '../../support/posts.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { connectAccounts } from '../../support/server-env.ts'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'
import { bluesky, callSimulator, testStack, timeAfter, uniqueText } from '../../test-stack.ts'

const receiver = useWebhookReceiver()

const url = `https://${testStack.webhookHost}/records`
const make = (more: Record<string, unknown> = {}) =>
  call<Webhook>('POST /webhooks', { body: { url, events: ['upload.failed'], ...more } })
/** Those of approvals and of links to connect an account have tests beside these. */
const names = [
  'upload.completed',
  'upload.partial_failure',
  'upload.failed',
  'upload.scheduled',
  'upload.publishing',
  'channel.published',
  'channel.failed',
  'channel.unconfirmed',
  'connection.expiring',
  'connection.needs_reconnect',
  'workspace.restored',
  'webhook.test',
]

rows(async () => (await make()).data, {
  'I 4.6 POST /webhooks': (it) => expect(it).toMatchObject({ url, events: ['upload.failed'] }),
  'D 11 Webhook': (it) =>
    expect(it).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      url,
      events: ['upload.failed'],
      secret: expect.stringMatching(/^whsec_[\w+/=-]{32,}$/),
      active: true,
      disabledReason: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    }),
  'I 2 Webhook url': (it) => expect(it.url).toBe(url),
  'I 2 Webhook events': (it) => expect(it.events).toEqual(['upload.failed']),
  'I 2 Webhook secret': async ({ id, secret }) => {
    expect((await call(`GET /webhooks/${id}`)).text).not.toContain(secret?.slice(6, -4))
    expect((await callData<Webhook>(`GET /webhooks/${id}`)).secret).toBe(`whsec_…${secret?.slice(-4)}`)
  },
  'I 6.9': async ({ secret }) => {
    expect(secret).toMatch(/^whsec_/)
    expect((await call('GET /webhooks')).text).not.toContain(secret?.slice(6, -4))
  },
  'I 4.6 GET /webhooks': async ({ id }) =>
    expect((await callData<Webhook[]>('GET /webhooks')).map((each) => each.id)).toContain(id),
  'I 4.6 GET /webhooks/:id': async ({ id }) => expect(await callData(`GET /webhooks/${id}`)).toMatchObject({ id, url }),
  'I 4.6 PATCH /webhooks/:id': async ({ id }) => {
    const events = ['upload.completed', 'upload.failed']
    expect(await callData(`PATCH /webhooks/${id}`, { body: { events } })).toMatchObject({ events, url })
  },
  'D 11 PATCH': async ({ id }) => {
    const body = { url: `${url}-moved`, active: false }
    expect(await callData(`PATCH /webhooks/${id}`, { body })).toMatchObject(body)
    expect((await call(`PATCH /webhooks/${id}`, { body: { secret: 'a'.repeat(20) } })).status).toBe(422)
  },
  'I 4.6 GET /webhooks/:id/deliveries': async ({ id }) =>
    expect(await callData<Delivery[]>(`GET /webhooks/${id}/deliveries`)).toEqual(expect.any(Array)),
  'I 4.6 DELETE /webhooks/:id': async ({ id }) => {
    const reply = await call(`DELETE /webhooks/${id}`)
    expect([reply.status, reply.data]).toEqual([200, null])
    for (const path of ['', '/deliveries']) expect((await call(`GET /webhooks/${id}${path}`)).status).toBe(404)
  },
})

row('I 4.6 field url', async () => {
  for (const bad of ['http://example.com/hook', 'here', undefined, 7]) expect((await make({ url: bad })).status).toBe(422)
})

row('D 11 addresses', async () => {
  const inside = [
    'https://169.254.169.254/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://[fe80::1]/',
    'https://metadata.google.internal/',
  ]
  for (const bad of inside) expect([bad, (await make({ url: bad })).status]).toEqual([bad, 422])
})

row('I 4.6 field events', async () => {
  for (const events of [undefined, [], 'upload.failed', [7]])
    expect(errorPaths(await make({ events })).join()).toContain('events')
})

row('D 11 events', async () => {
  const { data } = await make({ events: names })
  expect(data.events.toSorted()).toEqual(names.toSorted())
  await callData(`DELETE /webhooks/${data.id}`)
  expect(errorPaths(await make({ events: ['upload.exploded'] })).join()).toContain('events')
})

/** Every event is really sent. `workspace.restored` needs a restore; the server's test of finishing one sees it. */
row(
  'D 11 events',
  async () => {
    const path = `/${uniqueText('events').replace(' ', '-')}`
    const { id } = (await make({ url: receiver.url(path), events: names })).data
    const [lapsed] = await connectAccounts(uniqueText('lapsed').replace(' ', '-'), 'mastodon')
    const create = async (more: Record<string, unknown>) => (await createPost(more)).data.uploadId
    const [ok, partial, failed, unknown, scheduled] = [
      await create({}),
      await create({ connections: [bluesky, testStack.failConnection] }),
      await create({ connections: [testStack.failConnection] }),
      await create({ connections: [testStack.unconfirmedConnection] }),
      await create({ scheduledAt: timeAfter(dayMs) }),
    ]
    const [ending] = await connectAccounts(uniqueText('ending').replace(' ', '-'), 'mastodon')
    // The tokens of the simulated servers do not end within days.
    await queryDatabase(
      `update connection set token_renewable = false, token_expires_at = now() + interval '2 days' where id = $1`,
      [ending?.id ?? ''],
    )
    await callSimulator('POST', 'tokens/revoke', { platform: 'mastodon', handle: lapsed?.handle })
    await create({ connections: [lapsed?.slug] })
    await callData(`POST /webhooks/${id}/test`)
    const expected: [event: string, subject: string][] = [
      ['upload.publishing', ok],
      ['channel.published', ok],
      ['upload.completed', ok],
      ['upload.partial_failure', partial],
      ['channel.failed', failed],
      ['upload.failed', failed],
      ['channel.unconfirmed', unknown],
      ['upload.failed', unknown],
      ['upload.scheduled', scheduled],
      ['connection.needs_reconnect', lapsed?.id ?? ''],
      ['connection.expiring', ending?.id ?? ''],
      ['webhook.test', ''],
    ]
    for (const [event, subject] of expected) {
      const received = await receiver.waitFor(
        path,
        (body) => body.includes(`"event":"${event}"`) && body.includes(subject),
        60_000,
      )
      expect(received.headers['x-webhook-event']).toBe(event)
    }
    const seen = new Set(receiver.received(path).map(({ headers }) => headers['x-webhook-event']))
    expect([...seen].toSorted()).toEqual(names.filter((name) => name !== 'workspace.restored').toSorted())
    await callData(`DELETE /webhooks/${id}`)
    for (const connection of [lapsed, ending])
      await callData(`DELETE /workspaces/${testStack.workspaceId}/connections/${connection?.id}`)
  },
  180_000,
)

row('I 4.6 field secret', async () => {
  const secret = 'a secret of my own'
  const { data } = await make({ secret })
  expect(data.secret).toBe(secret)
  expect((await call(`GET /webhooks/${data.id}`)).text).not.toContain(secret)
  await callData(`DELETE /webhooks/${data.id}`)
  expect((await make({ secret: 7 })).status).toBe(422)
})
