import { randomUUID } from 'node:crypto'
import { answers, cases, equal, expect, hexId, need, skip, sleep, succeeded } from './lib.mjs'

export async function idempotency({ I, D, api, text, draft, read, mark, slug }) {
  const headers = (key) => ({ 'idempotency-key': key })
  const send = (key, body, path = '/content/text') => api('POST', path, { body, headers: headers(key) })
  const [key, body] = [randomUUID(), text({ saveDraft: true })]
  const first = await send(key, body)
  const again = await send(key, body)
  await D('1 Idempotency-Key: the first request works', () => {
    succeeded(first)
  })
  await D('1 Idempotency-Key: same body → the first answer again', () =>
    equal([again.status, again.body], [first.status, first.body]),
  )
  await D('1 Idempotency-Key: Idempotent-Replayed only on the replay', () =>
    equal([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')], [null, 'true']),
  )
  await D('1 Idempotency-Key: one post, not two', async () => {
    const found = succeeded(await api('GET', '/content', { query: { status: 'draft', limit: 100 } })).data.filter(
      (post) => post.text === body.text,
    )
    equal(found.length, 1)
  })
  await D('1 Idempotency-Key: other body → 422 idempotency_key_reused', async () =>
    answers(await send(key, text({ saveDraft: true })), 422, 'idempotency_key_reused'),
  )
  await D('1 Idempotency-Key: scoped to the route', async () => {
    const other = await send(key, { name: `${mark} route` }, '/workspaces')
    succeeded(other)
  })
  await D('1 Idempotency-Key: 255 characters pass, 256 do not', async () => {
    succeeded(await send('k'.repeat(247) + hexId().slice(0, 8), text({ saveDraft: true })))
    answers(await send('k'.repeat(256), text({ saveDraft: true })), [400, 422])
  })
  await D('1 Idempotency-Key: on PATCH', async () => {
    const [id, patchKey] = [await draft(), randomUUID()]
    const patch = (title) => api('PATCH', `/content/${id}`, { body: { title }, headers: headers(patchKey) })
    succeeded(await patch('one'))
    succeeded(await api('PATCH', `/content/${id}`, { body: { title: 'two' } }))
    const replay = await patch('one')
    equal([replay.headers.get('idempotent-replayed'), (await read(id)).title], ['true', 'two'])
  })
  await D('1 Idempotency-Key: a refused request may be repeated with a right body', async () => {
    const refusedKey = randomUUID()
    answers(await send(refusedKey, text({ saveDraft: true, text: 7 })), 422)
    const fixed = await send(refusedKey, text({ saveDraft: true }))
    expect(fixed.ok || fixed.error?.code === 'idempotency_key_reused', '2xx or idempotency_key_reused', fixed.status)
  })
  await D('1 Idempotency-Key: ten at once make one post', async () => {
    const [parallelKey, same] = [randomUUID(), text({ saveDraft: true })]
    const all = await Promise.all(Array.from({ length: 10 }, () => send(parallelKey, same)))
    const odd = all.find(
      (response) => !response.ok && !(response.status === 409 && response.error?.code === 'idempotency_in_flight'),
    )
    expect(!odd, '2xx or 409 idempotency_in_flight', odd?.text)
    equal(new Set(all.filter(({ ok }) => ok).map(({ data }) => data.draftId)).size, 1)
    equal(
      succeeded(await api('GET', '/content', { query: { status: 'draft', limit: 100 } })).data.filter(
        (post) => post.text === same.text,
      ).length,
      1,
    )
  })
  await I('4.1 without an Idempotency-Key the same body makes two posts', async () => {
    const twice = { connections: [slug], text: `${mark} twice`, saveDraft: true }
    const [one, two] = [
      succeeded(await api('POST', '/content/text', { body: twice })),
      succeeded(await api('POST', '/content/text', { body: twice })),
    ]
    expect(one.draftId !== two.draftId, 'two posts', one.draftId)
  })
}

/** An id of one workspace must look unknown in another workspace, of the same person and of another tenant. */
export async function isolation({ D, api, config, draft, create, later, media, neighbour, published, receiver }) {
  const strangers = []
  const near = await D('1 a second workspace to look from', () => neighbour())
  if (near) strangers.push(['another workspace of the same person', { workspace: near.id }])
  if (config.otherApiKey && config.otherWorkspaceId)
    strangers.push(['another tenant', { key: config.otherApiKey, workspace: config.otherWorkspaceId }])
  else await D('1 isolation from another tenant', () => skip('OTHER_API_KEY and OTHER_WORKSPACE_ID are not set'))

  const made = await D('1 things that belong to the first workspace', async () => {
    const post = await published()
    return {
      draft: await draft(),
      scheduled: (await create({ scheduledAt: later() })).uploadId,
      media: (await media.png()).id,
      requestId: post.requestId,
      uploadId: post.uploadId,
      webhook: succeeded(
        await api('POST', '/webhooks', {
          body: { url: receiver?.url('/isolation') ?? 'https://example.com/hook', events: ['upload.failed'] },
        }),
      ).id,
    }
  })
  for (const [who, as] of cases(made ? strangers : [])) {
    for (const [method, path, body, query] of cases([
      ['GET', `/content/${made.draft}`],
      ['GET', '/content/status', undefined, { requestId: made.uploadId }],
      ['GET', '/content/status', undefined, { requestId: made.requestId }],
      ['GET', `/content/${made.requestId}`],
      ['PATCH', `/content/${made.draft}`, { title: 'stolen' }],
      ['POST', `/content/${made.draft}/publish`],
      ['POST', `/content/${made.scheduled}/publish-now`],
      ['POST', `/content/${made.scheduled}/unschedule`],
      ['POST', `/content/${made.uploadId}/retry`],
      ['PATCH', `/content/${made.draft}/archive`],
      ['PATCH', `/content/${made.draft}/unarchive`],
      ['GET', `/media/${made.media}`],
      ['PATCH', `/media/${made.media}`, { alt: 'stolen' }],
      ['GET', `/analytics/post/${made.uploadId}`],
      ['GET', `/webhooks/${made.webhook}`],
      ['PATCH', `/webhooks/${made.webhook}`, { active: false }],
      ['GET', `/webhooks/${made.webhook}/deliveries`],
      ['DELETE', `/webhooks/${made.webhook}`],
      ['DELETE', `/media/${made.media}`],
      ['DELETE', `/content/${made.draft}`],
    ])) {
      const shape =
        path.replace(/[0-9a-f]{24}|[0-9a-f-]{36}/g, ':id') +
        (query ? `?requestId=${query.requestId.length === 24 ? 'uploadId' : 'requestId'}` : '') +
        (path.includes(made.requestId) ? ' (requestId)' : '')
      await D(`1 ${method} ${shape} from ${who} is 404`, async () =>
        answers(await api(method, path, { body, query, ...as }), 404),
      )
    }
    await D(`1 bulk-delete from ${who} deletes nothing`, async () => {
      const response = await api('POST', '/content/bulk-delete', { body: { ids: [made.draft] }, ...as })
      if (response.ok) expect(response.data.failed?.[0]?.id === made.draft, 'the id under failed', response.data)
      succeeded(await api('GET', `/content/${made.draft}`))
    })
    await D(`1 media bulk-delete from ${who} deletes nothing`, async () => {
      await api('POST', '/media/bulk-delete', { body: { ids: [made.media] }, ...as })
      succeeded(await api('GET', `/media/${made.media}`))
    })
    await D(`1 lists seen from ${who} do not show it`, async () => {
      for (const path of ['/content', '/media', '/webhooks']) {
        const response = await api('GET', path, { query: path === '/webhooks' ? {} : { limit: 100 }, ...as })
        succeeded(response)
        for (const id of [made.draft, made.scheduled, made.media, made.webhook])
          expect(!response.text.includes(id), `no ${id} in ${path}`, 'it is there')
      }
    })
    await D(`1 media of the first workspace cannot be used from ${who}`, async () => {
      const response = await api('POST', '/content/photos', {
        body: { connections: config.connections.slice(0, 1), text: 'x', medias: [made.media], saveDraft: true },
        ...as,
      })
      answers(response, [404, 422])
    })
    await D(`1 connections of the first workspace cannot be used from ${who}`, async () => {
      answers(
        await api('POST', '/content/text', {
          body: { connections: config.connections.slice(0, 1), text: 'x', scheduledAt: later() },
          ...as,
        }),
        422,
      )
    })
    await D(`1 nothing was changed from ${who}`, async () => {
      const now = succeeded(await api('GET', `/content/${made.draft}`))
      equal([now.status, now.title ?? null, now.archived], ['draft', null, false])
      equal(succeeded(await api('GET', `/content/${made.scheduled}`)).status, 'scheduled')
    })
  }
  for (const path of config.otherApiKey ? ['', '/connections', '/members', '/invitations', '/api-keys'] : []) {
    await D(`1 GET /workspaces/:id${path} of another tenant is 404`, async () =>
      answers(await api('GET', `/workspaces/${config.workspaceId}${path}`, { key: config.otherApiKey }), 404),
    )
  }
  await D('1 a key of another tenant with this X-Workspace-Id is 404', async () =>
    answers(await api('GET', '/content', { key: need(config.otherApiKey, 'OTHER_API_KEY is not set') }), 404),
  )
  await D('1 POST api-keys in the workspace of another tenant is 404', async () =>
    answers(
      await api('POST', `/workspaces/${config.workspaceId}/api-keys`, {
        key: need(config.otherApiKey, 'OTHER_API_KEY is not set'),
        body: { label: 'stolen' },
      }),
      404,
    ),
  )
}

/** Rules that every response of the run must follow. */
export async function wire({ I, D, api, client }) {
  const { oddities, counts } = client
  const late = { budget: false }
  await D('1 an unknown path is 404 in the error shape', async () => answers(await api('GET', '/no-such-thing'), 404), late)
  await I('9 no version designator: the paths work as they are', () => expect(counts.success > 0, 'answers', counts), late)
  const none = (list, total) => {
    expect(total > 0, 'responses', total)
    expect(list.length === 0, 'none', `${list.length}: ${[...new Set(list)].slice(0, 4).join(' ; ')}`)
  }
  await I(
    `envelope: success true and data on every success (${counts.success} responses)`,
    () => none(oddities.envelope, counts.success),
    late,
  )
  await D(`1 error shape on every error (${counts.error} responses)`, () => none(oddities.error, counts.error), late)
  await D('1 traceId equals the header X-Request-Id, which is always there', () => none(oddities.trace, counts.success), late)
  await D(
    `1 timestamps are ISO-8601 UTC with milliseconds and Z (${counts.timestamp} seen)`,
    () => none(oddities.timestamp, counts.timestamp),
    late,
  )
  await D('1 rate-limit headers on every keyed response', () => none(oddities.rateLimit, counts.success), late)
  await I('7 no request made the service crash', () => none(oddities.crash, counts.success), late)
}

/** Deletes everything that the run has created, including library items from multipart and URL medias. */
export async function cleanUp({ I, api, client, mark }) {
  await I(
    'cleanup: everything that was made is deleted',
    async () => {
      let stuck = await client.cleanUp()
      if (stuck.length) {
        await sleep(2000)
        stuck = await client.cleanUp()
      } // a post may still have been on its way out
      for (let round = 0; round < 5; round++) {
        const { results = [] } = (await api('GET', '/media', { query: { search: mark, limit: 100 } })).data ?? {}
        if (!results.length) break
        for (const { id } of results) await api('DELETE', `/media/${id}`, { query: { force: 'true' } })
      }
      expect(stuck.length === 0, 'nothing left', stuck)
    },
    { budget: false },
  )
}
