import { createHmac, randomUUID } from 'node:crypto'
import { answers, cases, equal, expect, fields, hexId, is, need, refused, rows, skip, sleep, succeeded, until } from './lib.mjs'

const EVENTS = ['upload.completed', 'upload.failed', 'upload.partial_failure']
const WEBHOOK = {
  id: is.hex24,
  url: is.httpUrl,
  events: is.arrayOf(is.text),
  secret: is.text,
  active: is.boolean,
  disabledReason: is.orNull(is.string),
  createdAt: is.time,
  updatedAt: is.time,
}
const DELIVERY = {
  id: is.text,
  event: is.text,
  url: is.httpUrl,
  statusCode: is.integer,
  deliveredAt: is.time,
  attempts: is.integer,
  responseBody: is.string,
}
const EXAMPLE = 'https://example.com/hook' // resolves, and hears nothing: these webhooks are gone before a post settles

const hmac = (secret, bytes) => `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`

export async function webhooks(context) {
  await records(context)
  if (context.receiver) await deliveries(context)
  else await context.I('6 deliveries', () => skip('WEBHOOK_HOST is not set'))
  await context.endpoints(4.6)
}

async function records({ I, D, api, receiver }) {
  const url = receiver?.url('/records') ?? EXAMPLE
  receiver?.on('/records', () => ({ status: 200 }))
  const body = { url, events: ['upload.failed'] }
  const response = await api('POST', '/webhooks', { body })
  const made = await I('4.6 POST /webhooks', () => succeeded(response))
  await fields(I, '2 Webhook (created)', made, { url: is.oneOf(url), events: is.arrayOf(is.text), secret: is.text })
  await I('6.9 a secret is generated when omitted', () =>
    expect(need(made, 'no webhook').secret.length >= 16 && !/[*…]/.test(made.secret), 'a whole secret', made.secret),
  )
  await D('1 POST /webhooks answers 201', () => answers(response, 201))
  await fields(D, '11 Webhook', made, WEBHOOK)
  await D('11 generated secret starts with whsec_', () =>
    expect(need(made, 'no webhook').secret.startsWith('whsec_'), 'whsec_…', made.secret.slice(0, 6)),
  )
  const path = `/webhooks/${made?.id}`
  const masked = (secret) => secret !== made.secret && !secret?.includes(made.secret.slice(6))

  const listing = await I('4.6 GET /webhooks', async () => {
    const answer = await api('GET', '/webhooks')
    const mine = rows(succeeded(answer))?.find(({ id }) => id === made?.id)
    return { mine: mine ?? expect(false, made?.id, answer.data), answer }
  })
  await I('6.9 listings show the secret masked', () =>
    expect(
      !need(listing, 'no list').answer.text.includes(made.secret) && masked(listing.mine.secret),
      'a masked secret',
      listing.mine.secret,
    ),
  )
  await fields(I, '2 Webhook (listed)', listing?.mine, { url: is.oneOf(url), events: is.arrayOf(is.text), secret: is.text })
  const one = await I('4.6 GET /webhooks/:id', async () => succeeded(await api('GET', path)))
  await I('6.9 GET /webhooks/:id shows the secret masked', () =>
    expect(masked(need(one, 'no webhook').secret), 'a masked secret', one.secret),
  )
  await D('11 masked secret is whsec_… and the last four', () => {
    const { secret } = need(one, 'no webhook')
    expect(
      secret.startsWith('whsec_') && secret.endsWith(made.secret.slice(-4)) && secret.length < made.secret.length,
      `whsec_…${made.secret.slice(-4)}`,
      secret,
    )
  })

  await I('4.6 PATCH /webhooks/:id', async () => {
    const answer = await api('PATCH', path, { body: { events: EVENTS } })
    succeeded(answer)
    const now = succeeded(await api('GET', path))
    equal([[...now.events].toSorted(), now.url], [[...EVENTS].toSorted(), url])
    expect(!answer.text.includes(made.secret), 'a masked secret', 'the whole one')
  })
  await D('11 PATCH takes url and active', async () => {
    const other = `${url}-moved`
    succeeded(await api('PATCH', path, { body: { url: other, active: false } }))
    const now = succeeded(await api('GET', path))
    equal([now.url, now.active, now.events.length], [other, false, 3])
  })
  await I('4.6 own secret accepted', async () => {
    const own = `own-${randomUUID()}`
    const mine = succeeded(await api('POST', '/webhooks', { body: { ...body, secret: own } }))
    const shown = await api('GET', `/webhooks/${mine.id}`)
    expect(!shown.text.includes(own), 'a masked secret', shown.data.secret)
  })
  for (const [id, more] of cases([
    ['an http url', { url: EXAMPLE.replace('https:', 'http:') }],
    ['a url that is none', { url: 'here' }],
    ['no url', { url: undefined }],
    ['no events', { events: undefined }],
    ['events not an array', { events: 'upload.failed' }],
    ['a secret that is no string', { secret: 7 }],
  ]))
    await I(`4.6 POST /webhooks with ${id} refused`, async () =>
      refused(await api('POST', '/webhooks', { body: { ...body, ...more } })),
    )
  for (const target of ['https://169.254.169.254/', 'https://[::ffff:169.254.169.254]/', 'https://metadata.google.internal/']) {
    await D(`11 POST /webhooks to ${target} is refused`, async () =>
      answers(await api('POST', '/webhooks', { body: { ...body, url: target } }), 422),
    )
  }
  await D('11 POST /webhooks with an unknown event is 422', async () =>
    answers(await api('POST', '/webhooks', { body: { ...body, events: ['upload.exploded'] } }), 422),
  )
  await D('1 POST /webhooks unknown field is 422', async () =>
    answers(await api('POST', '/webhooks', { body: { ...body, surprise: 1 } }), 422),
  )
  await D('1 PATCH /webhooks/:id unknown field is 422', async () =>
    answers(await api('PATCH', path, { body: { surprise: 1 } }), 422),
  )
  await I('4.6 GET /webhooks/:id/deliveries is an array', async () => {
    const data = succeeded(await api('GET', `${path}/deliveries`))
    expect(Array.isArray(data), 'array', data)
  })

  await D('11 POST /webhooks/:id/rotate-secret reveals a new secret once', async () => {
    const { secret } = succeeded(await api('POST', `${path}/rotate-secret`))
    expect(secret?.startsWith('whsec_') && secret !== made.secret && !/[*…]/.test(secret), 'a new whole secret', secret)
    expect(!(await api('GET', path)).text.includes(secret), 'masked afterwards', 'the whole one')
  })
  await I('4.6 DELETE /webhooks/:id', async () => {
    succeeded(await api('DELETE', path))
    answers(await api('GET', path), 404)
    expect(!rows(succeeded(await api('GET', '/webhooks'))).some(({ id }) => id === made.id), 'not listed', made.id)
  })
  await D('1 GET, PATCH, DELETE and deliveries of an unknown webhook are 404', async () => {
    const unknown = `/webhooks/${hexId()}`
    answers(await api('GET', unknown), 404)
    answers(await api('PATCH', unknown, { body: { active: true } }), 404)
    answers(await api('DELETE', unknown), 404)
    answers(await api('GET', `${unknown}/deliveries`), 404)
  })
}

async function deliveries({ I, D, api, receiver, create, settled, config, slug }) {
  const hooks = {}
  const hook = async (name, events, answer, secret) => {
    receiver.on(`/${name}`, answer)
    hooks[name] = succeeded(await api('POST', '/webhooks', { body: { url: receiver.url(`/${name}`), events, secret } }))
  }
  const own = `own-secret-${randomUUID()}`
  const ready = await I('6 webhooks for the deliveries', async () => {
    await hook('all', EVENTS, () => ({ status: 200, body: 'thanks' }))
    await hook('own', ['upload.completed'], () => ({ status: 204 }), own)
    await hook('failures', ['upload.failed', 'upload.partial_failure'], () => ({ status: 200 }))
    await hook('flaky', ['upload.completed'], (_, nth) => ({ status: nth < 3 ? 500 : 200, body: `answer ${nth}` }))
    await hook('slow', ['upload.completed'], async (_, nth) => {
      if (nth === 1) await sleep(12_000)
      return { status: 200 }
    })
    await hook('patient', ['upload.completed'], async () => {
      await sleep(7_000)
      return { status: 200 }
    })
    await hook('moved', ['upload.completed'], () => ({ status: 302, headers: { location: receiver.url('/elsewhere') } }))
    await hook('gone', ['upload.completed'], () => ({ status: 410 }))
    await hook('removed', ['upload.completed'], () => ({ status: 200 }))
    succeeded(await api('DELETE', `/webhooks/${hooks.removed.id}`))
    receiver.on('/elsewhere', () => ({ status: 200 }))
    return true
  })
  if (!ready) return
  const arrives = (path, count, timeoutMs = 15_000) =>
    until(
      () => receiver.calls(path),
      (calls) => calls.length >= count,
      { timeoutMs, everyMs: 100 },
    )
  const log = async (name) => succeeded(await api('GET', `/webhooks/${hooks[name].id}/deliveries`))
  const missing = async (name) => `nothing; deliveries ${JSON.stringify(await log(name))}; TLS ${receiver.problems().slice(0, 2)}`

  const post = await I('6 a post for the deliveries', async () => settled((await create()).uploadId))
  const [call] = await arrives('/all', 1)
  await I('6.1 upload.completed arrives by POST', async () => {
    expect(call, 'a delivery', call ?? (await missing('all')))
    equal(call.method, 'POST')
  })
  let parsed
  await I('6.1 the body is JSON', () => {
    parsed = JSON.parse(need(call, 'no delivery').raw.toString())
  })
  await I('6.2 header Content-Type', () =>
    expect(
      /^application\/json\b/.test(need(call, 'no delivery').headers['content-type']),
      'application/json',
      call.headers['content-type'],
    ),
  )
  await I('6.2 header X-Webhook-Event', () => equal(need(call, 'no delivery').headers['x-webhook-event'], 'upload.completed'))
  await I('6.2 header X-Webhook-Delivery', () =>
    expect(is.text.test(need(call, 'no delivery').headers['x-webhook-delivery']), 'a delivery id', call.headers),
  )
  await I('6.2 header X-Webhook-Signature is sha256= and hex', () =>
    expect(
      /^sha256=[0-9a-f]{64}$/.test(need(call, 'no delivery').headers['x-webhook-signature']),
      'sha256=<64 hex>',
      call.headers['x-webhook-signature'],
    ),
  )
  const signed = (of, secret) => {
    const got = need(of, 'no delivery').headers['x-webhook-signature']
    const raw = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    expect(
      got === hmac(secret, of.raw),
      hmac(secret, of.raw),
      got === hmac(raw, of.raw) ? `${got} (keyed with the decoded secret)` : got,
    )
  }
  await I('6.2 signature: HMAC-SHA256 of the exact bytes with the generated secret', () => signed(call, hooks.all.secret))
  await I('6.2 signature: with the secret given at creation', async () => signed((await arrives('/own', 1))[0], own))
  await I('6.3 deliveryId in the body, if there, equals the header', () => {
    if (need(parsed, 'no body').deliveryId !== undefined) equal(parsed.deliveryId, call.headers['x-webhook-delivery'])
  })
  await fields(D, '11 delivery body', parsed, {
    event: is.oneOf('upload.completed'),
    deliveryId: is.uuid,
    timestamp: is.time,
    workspaceId: is.oneOf(config.workspaceId),
    data: is.object,
  })
  await fields(D, '11 delivery body data', parsed?.data, {
    requestId: is.uuid,
    uploadId: is.oneOf(post?.uploadId),
    status: is.oneOf('completed'),
    type: is.oneOf('text'),
    channels: is.arrayOf(is.object),
    scheduledAt: is.orNull(is.time),
    createdAt: is.time,
  })
  await D('11 Standard Webhooks headers', () => {
    const { headers } = need(call, 'no delivery')
    equal(headers['webhook-id'] === headers['x-webhook-delivery'] || is.text.test(headers['webhook-id']), true)
    expect(
      /^\d+$/.test(headers['webhook-timestamp']) && /v1,/.test(headers['webhook-signature']),
      'webhook-timestamp and webhook-signature',
      headers,
    )
  })
  await D('11 Standard Webhooks signature verifies', () => {
    const { headers, raw } = need(call, 'no delivery')
    const message = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
    const key = Buffer.from(hooks.all.secret.replace(/^whsec_/, ''), 'base64')
    const wanted = `v1,${createHmac('sha256', key).update(message).digest('base64')}`
    expect(headers['webhook-signature']?.split(' ').includes(wanted), wanted, headers['webhook-signature'])
  })
  await I('6.1 only subscribed events are sent', () => equal(receiver.calls('/failures').length, 0))
  await I('6.1 a removed webhook receives nothing', () => equal(receiver.calls('/removed').length, 0))

  // ---- the log ----
  const entry = await I(
    '6.10 GET /webhooks/:id/deliveries shows it',
    async () =>
      (
        await until(
          () => log('all'),
          (list) => list.some(({ statusCode }) => statusCode === 200),
          { timeoutMs: 5000 },
        )
      ).find(({ id }) => id === call?.headers['x-webhook-delivery']) ??
      expect(false, call?.headers['x-webhook-delivery'], await log('all')),
  )
  await fields(I, '2 Webhook delivery', entry, DELIVERY)
  await I('2 Webhook delivery tells what happened', () =>
    equal(
      [need(entry, 'no entry').event, entry.url, entry.statusCode, entry.attempts, entry.responseBody],
      ['upload.completed', receiver.url('/all'), 200, 1, 'thanks'],
    ),
  )
  await D('2 delivery id is UUID v7', () => expect(is.uuid7.test(need(entry, 'no entry').id), 'UUID v7', entry.id))

  // ---- other events ----
  for (const [event, connections] of cases([
    ['upload.failed', [config.failConnection]],
    ['upload.partial_failure', [slug, config.failConnection]],
  ])) {
    await I(`6 event ${event}`, async () => {
      if (!config.failConnection) skip('FAIL_CONNECTION is not set')
      const { uploadId } = await create({ connections })
      const heard = () =>
        receiver.calls('/failures').find(({ headers, raw }) => headers['x-webhook-event'] === event && raw.includes(uploadId))
      expect(
        await until(async () => heard(), Boolean, { timeoutMs: 25_000, everyMs: 100 }),
        event,
        receiver.calls('/failures').map(({ headers }) => headers['x-webhook-event']),
      )
      expect(
        receiver.calls('/all').some(({ headers, raw }) => headers['x-webhook-event'] === event && raw.includes(uploadId)) ||
          (await arrives('/all', 3, 3000)),
        '6.8 the webhook for many events hears it',
        'nothing',
      )
      expect(!receiver.calls('/own').some(({ raw }) => raw.includes(uploadId)), 'not sent where not subscribed', event)
    })
  }
  await I('6.8 one webhook hears several events, told apart by the header', () => {
    if (!config.failConnection) skip('FAIL_CONNECTION is not set')
    equal(
      [...new Set(receiver.calls('/all').map(({ headers }) => headers['x-webhook-event']))].toSorted(),
      [...EVENTS].toSorted(),
    )
  })

  // ---- retries ----
  const firstPost = ({ raw }) => post && raw.includes(post.uploadId)
  const flaky = await until(
    async () => receiver.calls('/flaky').filter(firstPost),
    (calls) => calls.length >= 3,
    { timeoutMs: 45_000 },
  )
  const gap = (at) => (flaky[at].at - flaky[at - 1].at) / 1000
  await I('6.5 a 500 triggers a retry', () => expect(flaky.length >= 2, 'a second attempt', flaky.length))
  await I('6.6 first retry after about 10 s', () =>
    expect(gap(need(flaky[1] && 1, 'no retry')) >= 8.5 && gap(1) <= 14, '10 s', `${gap(1)} s`),
  )
  await I('6.6 backoff is exponential: second retry after about 20 s', () =>
    expect(gap(need(flaky[2] && 2, 'no second retry')) >= 17 && gap(2) <= 26, '20 s', `${gap(2)} s`),
  )
  await I('6.7 retries carry the same delivery id', () => {
    need(flaky[1], 'no retry')
    equal(new Set(flaky.map(({ headers }) => headers['x-webhook-delivery'])).size, 1)
  })
  await I('6.2 retries are signed too', () => signed(need(flaky[1], 'no retry'), hooks.flaky.secret))
  await I('2 Webhook delivery attempts counts the retries', async () => {
    const id = need(flaky[2], 'no second retry').headers['x-webhook-delivery']
    const found = await until(
      async () => (await log('flaky')).find((item) => item.id === id),
      (item) => item?.attempts === 3,
      { timeoutMs: 4000 },
    )
    equal([found?.attempts, found?.statusCode, found?.responseBody], [3, 200, 'answer 3'])
  })
  await I('6.5 an answer after more than 10 s counts as failed', async () => {
    const calls = await until(
      async () => receiver.calls('/slow').filter(firstPost),
      (list) => list.length >= 2,
      { timeoutMs: 10_000 },
    )
    expect(calls.length >= 2, 'a retry', calls.length)
    const seconds = (calls[1].at - calls[0].at) / 1000
    expect(seconds > 17 && seconds < 27, 'about 20 s: 10 s timeout and 10 s wait', seconds)
  })
  await I('6.5 an answer within 10 s is enough', () => equal(receiver.calls('/patient').filter(firstPost).length, 1))
  await I('6.5 a 2xx ends the delivery', () =>
    equal([receiver.calls('/all').filter(firstPost).length, receiver.calls('/own').filter(firstPost).length], [1, 1]),
  )
  await D('11 a redirect is a failure and is not followed', () => {
    equal(receiver.calls('/elsewhere').length, 0)
    expect(receiver.calls('/moved').filter(firstPost).length >= 2, 'a retry', receiver.calls('/moved').length)
  })
  await D('11 410 disables the webhook', async () => {
    equal(receiver.calls('/gone').filter(firstPost).length, 1)
    const { active, disabledReason } = succeeded(await api('GET', `/webhooks/${hooks.gone.id}`))
    expect(active === false && is.text.test(disabledReason), 'active false with a reason', { active, disabledReason })
  })

  // ---- additions ----
  await D('11 POST /webhooks/:id/test sends webhook.test', async () => {
    succeeded(await api('POST', `/webhooks/${hooks.all.id}/test`))
    const heard = await until(
      async () => receiver.calls('/all').find(({ headers }) => headers['x-webhook-event'] === 'webhook.test'),
      Boolean,
      { timeoutMs: 10_000 },
    )
    signed(heard, hooks.all.secret)
  })
  await D('11 redeliver sends the same event again', async () => {
    const before = receiver.calls('/own').length
    succeeded(
      await api(
        'POST',
        `/webhooks/${hooks.own.id}/deliveries/${receiver.calls('/own')[0].headers['x-webhook-delivery']}/redeliver`,
      ),
    )
    expect((await arrives('/own', before + 1, 10_000)).length > before, 'one more delivery', before)
  })
  await I('8 retained deliveries: 100 most recent', async () => {
    await hook('many', ['upload.failed'], () => ({ status: 200 }))
    for (let sent = 0; sent < 104; sent += 8) {
      const batch = await Promise.all(Array.from({ length: 8 }, () => api('POST', `/webhooks/${hooks.many.id}/test`)))
      const odd = batch.find(({ ok }) => !ok)
      if (odd) skip(`POST /webhooks/:id/test answers ${odd.status}, so 100 deliveries cannot be made`)
    }
    await arrives('/many', 104, 15_000)
    const list = await until(
      () => log('many'),
      (entries) => entries.length === 100,
      { timeoutMs: 5000 },
    )
    equal(list.length, 100)
  })
}

/** Waits for all retries of a delivery, 310 s; only with --slow. */
export async function webhookSchedule({ I, api, receiver, create, config }) {
  await I(
    '8 webhook retries: up to 5, then marked failed',
    async () => {
      if (!receiver) skip('WEBHOOK_HOST is not set')
      if (!config.slow) skip('the whole schedule takes 310 s: run with --slow')
      receiver.on('/never', () => ({ status: 500, body: 'no' }))
      const hook = succeeded(
        await api('POST', '/webhooks', { body: { url: receiver.url('/never'), events: ['upload.completed'] } }),
      )
      await create()
      await until(
        async () => receiver.calls('/never'),
        (calls) => calls.length >= 6,
        { timeoutMs: 350_000, everyMs: 1000 },
      )
      await sleep(20_000)
      const gaps = receiver
        .calls('/never')
        .slice(1)
        .map((call, at) => Math.round((call.at - receiver.calls('/never')[at].at) / 1000))
      equal(gaps.length, 5)
      for (const [at, seconds] of gaps.entries())
        expect(Math.abs(seconds - 10 * 2 ** at) <= 2 * 2 ** at + 3, `about ${10 * 2 ** at} s`, gaps)
      const [entry] = succeeded(await api('GET', `/webhooks/${hook.id}/deliveries`))
      equal([entry.attempts, entry.statusCode], [6, 500])
    },
    { budget: false, timeoutMs: 400_000 },
  )
}
