import {
  amount,
  answers,
  cases,
  equal,
  expect,
  fields,
  hexId,
  is,
  names,
  need,
  refused,
  skip,
  sleep,
  succeeded,
  until,
} from './lib.mjs'
import { CHANNEL, POST } from './content.mjs'
import { TERMINAL } from './context.mjs'

const PUBLISHING = ['publishing', ...TERMINAL] // a fast platform may be done before the answer is read

export async function states(context) {
  const due = await plan(context)
  await patching(context)
  await publishing(context)
  await retrying(context)
  await unconfirmed(context)
  await rescheduling(context)
  await archiving(context)
  await bulk(context)
  await deleting(context)
  await dispatched(context, due)
  await context.endpoints(4.1)
}

/** Creates posts that are due in a few seconds. They are checked last, so that no time is spent waiting for them. */
async function plan({ I, D, api, create, settled }) {
  const scheduledAt = new Date(Date.now() + 6_000).toISOString()
  const plain = await I('3 scheduled a few seconds ahead', async () => (await create({ scheduledAt })).uploadId)
  const archived = await D('4 archiving a scheduled post', async () => {
    const { uploadId } = await create({ scheduledAt })
    succeeded(await api('PATCH', `/content/${uploadId}/archive`))
    return uploadId
  })
  const early = await settled(plain, 0).catch(() => undefined)
  return { scheduledAt, plain, archived, early }
}

async function dispatched({ I, D, read, settled }, { scheduledAt, plain, archived, early }) {
  await I('3 a scheduled post waits for its time', () => equal(need(early, 'no scheduled post').status, 'scheduled'))
  await I('3 a scheduled post is dispatched at its time', async () => {
    const done = await settled(need(plain, 'no scheduled post'), 30_000)
    equal(done.status, 'completed')
  })
  await D('4 publishedAt is not before scheduledAt and within 30 s', async () => {
    const { publishedAt } = await read(need(plain, 'no scheduled post'))
    const delay = Date.parse(publishedAt) - Date.parse(scheduledAt)
    expect(delay >= -1000 && delay < 30_000, `${scheduledAt} or up to 30 s later`, publishedAt)
  })
  await D('4 archiving never stops a scheduled post', async () =>
    equal((await settled(need(archived, 'no archived post'), 30_000)).status, 'completed'),
  )
}

async function patching({ I, D, api, draft, read, slug, later, media, create, published, config }) {
  const full = {
    title: 'Before',
    firstComment: { text: 'Comment' },
    linkUrl: 'https://example.com/a',
    scheduledAt: later(),
    timezone: 'Europe/Berlin',
    contentFormat: 'text',
    platformOptions: { [slug]: { text: 'own' } },
  }
  const id = await I('4.1 PATCH /content/:id: a draft to change', () => draft(full))
  const patch = (body, of = id) => api('PATCH', `/content/${of}`, { body })
  const withoutClock = ({ updatedAt: _updatedAt, ...rest }) => rest
  const untouched = async (label, body, changed, of) =>
    I(`4.1 PATCH /content/:id ${label} leaves omitted fields unchanged`, async () => {
      const before = await read(need(of ?? id, 'no draft'))
      succeeded(await patch(body, of))
      const after = await read(of ?? id)
      for (const name of Object.keys(withoutClock(before))) {
        if (!changed.includes(name))
          expect(
            JSON.stringify(after[name]) === JSON.stringify(before[name]),
            `${name} still ${JSON.stringify(before[name])}`,
            after[name],
          )
      }
      equal(after.status, 'draft')
      return after
    })
  const value = async (label, body, field, wanted, changed = [field]) => {
    const after = await untouched(label, body, [...changed, 'channels', 'warnings', 'issues'])
    await D(`6 PATCH /content/:id ${label} is stored`, () => {
      const got = need(after, 'no answer')[field]
      equal(field === 'firstComment' ? (got?.text ?? got) : got, wanted)
    })
  }
  await value('text', { text: 'after' }, 'text', 'after')
  await value('title', { title: 'After' }, 'title', 'After')
  await value('firstComment', { firstComment: 'Other' }, 'firstComment', 'Other')
  await value('linkUrl', { linkUrl: 'https://example.com/b' }, 'linkUrl', 'https://example.com/b')
  const moved = later(200)
  await value('scheduledAt', { scheduledAt: moved }, 'scheduledAt', moved)
  await value('timezone', { timezone: 'Asia/Tokyo' }, 'timezone', 'Asia/Tokyo', ['timezone', 'scheduledAt'])
  await value('platformOptions', { platformOptions: { [slug]: { text: 'new own' } } }, 'platformOptions', {
    [slug]: { text: 'new own' },
  })
  await value('contentFormat', { contentFormat: 'text' }, 'contentFormat', 'text')
  await untouched('with an empty body', {}, [])
  await I('4.1 PATCH /content/:id connections', async () => {
    const second = config.connections[1] ?? skip('CONNECTIONS has one entry')
    succeeded(await patch({ connections: [second], platformOptions: {} }))
    equal((await read(id)).channels.length, 1)
  })
  await I('4.1 PATCH /content/:id medias of a photo draft', async () => {
    const photo = await draft({ medias: [(await media.png()).id] }, 'photos')
    succeeded(await patch({ medias: [(await media.png()).id, (await media.jpeg()).id] }, photo))
    equal((await read(photo)).medias.length, 2)
    const before = await read(photo)
    succeeded(await patch({ title: 'Only the title' }, photo))
    equal((await read(photo)).medias.length, before.medias.length)
  })
  await D('6 PATCH /content/:id answers with the Post', async () =>
    equal(succeeded(await patch({ title: 'Again' }), 200).title, 'Again'),
  )
  await I('8 PATCH /content/:id text of 25001 characters refused', async () => refused(await patch({ text: 'a'.repeat(25_001) })))
  await D('1 PATCH /content/:id unknown field is 422', async () => names(await patch({ surprise: 1 }), 'surprise'))
  await D('1 PATCH /content/:id wrong type is 422', async () => names(await patch({ title: 7 }), 'title'))
  await D('1 PATCH /content/:id field status is refused', async () => answers(await patch({ status: 'completed' }), 422))
  await D('6 PATCH of a scheduled post is 409 not_a_draft', async () =>
    answers(await patch({ title: 'x' }, (await create({ scheduledAt: later() })).uploadId), 409, 'not_a_draft'),
  )
  await I('4.1 PATCH /content/:id applies to drafts only', async () =>
    refused(await patch({ title: 'x' }, (await published()).uploadId)),
  )
  await D('1 PATCH /content/:id of an unknown id is 404', async () => answers(await patch({ title: 'x' }, hexId()), 404))
}

async function publishing({ I, D, api, draft, read, settled, create, later, published, slug, config }) {
  const post = (id, verb) => api('POST', `/content/${id}/${verb}`)
  const id = await I('4.1 POST /content/:id/publish: a draft to publish', () => draft())
  const response = await post(id, 'publish')
  await I('4.1 POST /content/:id/publish without a body', () => {
    succeeded(response)
  })
  await D('6 publish answers with the Post', () => equal(need(response.data, 'no answer').uploadId, id))
  await I('3 draft → publishing', async () =>
    expect(PUBLISHING.includes(response.data?.status ?? (await read(id)).status), PUBLISHING.join(' | '), response.data?.status),
  )
  await I('3 a published draft completes', async () => equal((await settled(need(id, 'no draft'))).status, 'completed'))
  await D('2 a published draft keeps its id', async () => equal((await read(need(id, 'no draft'))).uploadId, id))
  await I('3 publish again is refused: the post is no draft', async () => refused(await post(need(id, 'no draft'), 'publish')))
  await D('6 publish of a non-draft is 409', async () => answers(await post((await published()).uploadId, 'publish'), 409))
  await D('6 a draft with scheduledAt ahead goes to scheduled', async () => {
    const planned = await draft({ scheduledAt: later() })
    equal(succeeded(await post(planned, 'publish')).status, 'scheduled')
  })
  await D('5 a draft that breaks a platform rule is stored, not refused', async () => {
    const long = await api('POST', '/content/text', {
      body: { connections: config.connections, text: 'a'.repeat(25_000), saveDraft: true },
    })
    succeeded(long)
  })

  const planned = await I(
    '4.1 POST /content/:id/publish-now: a scheduled post',
    async () => (await create({ scheduledAt: later() })).uploadId,
  )
  const now = await post(planned, 'publish-now')
  await I('4.1 POST /content/:id/publish-now', () => {
    succeeded(now)
  })
  await D('6 publish-now answers with the Post', () => equal(need(now.data, 'no answer').uploadId, planned))
  await I('3 scheduled → published immediately', async () => equal((await settled(need(planned, 'no post'))).status, 'completed'))
  await I('3 publish-now of a draft is refused', async () => refused(await post(await draft(), 'publish-now')))
  await D('6 publish-now of a non-scheduled post is 409', async () =>
    answers(await post((await published()).uploadId, 'publish-now'), 409),
  )
  for (const verb of ['publish', 'publish-now', 'retry'])
    await D(`1 POST /content/:id/${verb} of an unknown id is 404`, async () => answers(await post(hexId(), verb), 404))
  await fields(D, '4 Post (completed)', await read((await published().catch(() => ({}))).uploadId).catch(() => undefined), {
    ...POST,
    publishedAt: is.time,
    status: is.oneOf('completed'),
  })
  await D('4 text of a published post is kept', async () =>
    expect((await read((await published()).uploadId)).text?.length > 0, 'the text', slug),
  )
}

async function retrying({ I, D, api, partial, failed, status, read, published, draft, config }) {
  const post = await I('7 some channels failed → partial_failure', async () => {
    const done = await partial()
    equal(done.status, 'partial_failure')
    return done
  })
  const of = (channels, slug) =>
    channels.find((channel) => slug.startsWith(`${channel.platform}-`) && (channel.connection ?? slug) === slug)
  const bad = post && post.channels.find(({ result }) => result.status !== 'success')
  const good = post && post.channels.find(({ result }) => result.status === 'success')
  await I('7 a failed channel carries a failure status', () =>
    expect(need(bad, 'no failed channel').result.status !== 'success', 'not success', bad.result.status),
  )
  await I('7 a failed channel carries an error message', () => {
    const { error } = need(bad, 'no failed channel').result
    expect(typeof (error?.message ?? error) === 'string' && (error?.message ?? error).length > 0, 'an error message', bad.result)
  })
  await I('7 the other channel succeeded', () =>
    expect(is.httpUrl.test(need(good, 'no good channel').result.postUrl), 'success with postUrl', good.result),
  )
  await fields(I, '2 Channel (failed)', bad, CHANNEL)
  await fields(D, '4 failed channel error', bad?.result?.error, {
    code: is.text,
    message: is.text,
    action: is.text,
    retryable: is.boolean,
    platformCode: is.any,
  })
  await D('4 failed channel status is failed', () => equal(need(bad, 'no failed channel').result.status, 'failed'))
  await D('4 all channels failed → failed', async () => equal((await failed()).status, 'failed'))

  await I('4.1 POST /content/:id/retry re-queues only failed channels', async () => {
    const { uploadId } = need(post, 'no post with a failed channel')
    const before = of((await read(uploadId)).channels, config.connections[0])
    const badBefore = of((await read(uploadId)).channels, config.failConnection)
    succeeded(await api('POST', `/content/${uploadId}/retry`))
    // The failed channel must show a new attempt; the successful one must stay exactly the same all the time.
    const end = Date.now() + 20_000
    let now
    for (;;) {
      now = await read(uploadId)
      equal(of(now.channels, config.connections[0]), before)
      const again = of(now.channels, config.failConnection).result
      const tried = (again.attempts ?? 0) > (badBefore.result.attempts ?? 0)
      if ((TERMINAL.includes(now.status) && tried) || Date.now() > end) break
      await sleep(200)
    }
    equal(now.status, 'partial_failure')
    await sleep(1500) // a second, hidden send would show up now
    equal(of((await read(uploadId)).channels, config.connections[0]), before)
  })
  await D('4 retry counts another attempt of the failed channel', async () => {
    const { uploadId } = need(post, 'no post with a failed channel')
    const attempts = of((await read(uploadId)).channels, config.failConnection).result.attempts
    expect(attempts > bad.result.attempts, `more than ${bad.result.attempts}`, attempts)
  })
  await D('6 retry answers with the Post', async () => {
    const { uploadId } = await failed()
    equal(succeeded(await api('POST', `/content/${uploadId}/retry`), 200).uploadId, uploadId)
    await until(
      () => status(uploadId),
      (now) => TERMINAL.includes(now.status),
    )
  })
  await D('6 retry with nothing failed is 409 nothing_to_retry', async () =>
    answers(await api('POST', `/content/${(await published()).uploadId}/retry`), 409, 'nothing_to_retry'),
  )
  await D('6 retry of a draft is 409', async () => answers(await api('POST', `/content/${await draft()}/retry`), 409))
}

async function unconfirmed({ D, api, create, read, settled, published, config }) {
  const resolve = (id, channelId, body) => api('POST', `/content/${id}/channels/${channelId}/resolve`, { body })
  const published1 = async () => {
    const post = await read((await published()).uploadId)
    return [post.uploadId, post.channels[0].id]
  }
  await D('4 resolve of a channel that is not unconfirmed is 409', async () =>
    answers(await resolve(...(await published1()), { outcome: 'published' }), 409),
  )
  await D('4 resolve with another outcome is 422', async () =>
    answers(await resolve(...(await published1()), { outcome: 'perhaps' }), 422),
  )
  await D('4 resolve of an unknown channel is 404', async () =>
    answers(await resolve((await published1())[0], hexId(), { outcome: 'published' }), 404),
  )
  const lost = async () => {
    const slug = config.unconfirmedConnection ?? skip('UNCONFIRMED_CONNECTION is not set')
    const { uploadId } = await create({ connections: [slug] })
    await settled(uploadId, 45_000)
    const post = await read(uploadId)
    equal(post.channels[0].result.status, 'unconfirmed')
    return post
  }
  await D('4 unconfirmed counts as failed, resolve published makes it a success', async () => {
    const post = await lost()
    equal(post.status, 'failed')
    const postUrl = 'https://example.com/found'
    succeeded(await resolve(post.uploadId, post.channels[0].id, { outcome: 'published', postUrl }))
    const now = await read(post.uploadId)
    equal([now.status, now.channels[0].result.status, now.channels[0].result.postUrl], ['completed', 'success', postUrl])
  })
  await D('4 resolve not_published allows a retry', async () => {
    const post = await lost()
    answers(await api('POST', `/content/${post.uploadId}/retry`), 409)
    succeeded(await resolve(post.uploadId, post.channels[0].id, { outcome: 'not_published' }))
    equal((await read(post.uploadId)).channels[0].result.status, 'failed')
    succeeded(await api('POST', `/content/${post.uploadId}/retry`))
  })
}

async function rescheduling({ D, api, create, read, draft, later, published }) {
  const call = (id, verb, body) => api('POST', `/content/${id}/${verb}`, { body })
  const scheduled = async () => (await create({ scheduledAt: later() })).uploadId
  await D('6 POST /content/:id/reschedule', async () => {
    const [id, when] = [await scheduled(), later(100)]
    succeeded(await call(id, 'reschedule', { scheduledAt: when, timezone: 'Asia/Tokyo' }))
    const now = await read(id)
    equal([now.status, now.scheduledAt, now.timezone], ['scheduled', when, 'Asia/Tokyo'])
  })
  await D('6 reschedule into the past is 422', async () =>
    answers(await call(await scheduled(), 'reschedule', { scheduledAt: '2001-01-01T00:00:00Z' }), 422),
  )
  await D('6 reschedule without scheduledAt is 422', async () => answers(await call(await scheduled(), 'reschedule', {}), 422))
  await D('6 reschedule of a draft is 409', async () =>
    answers(await call(await draft(), 'reschedule', { scheduledAt: later(), timezone: 'UTC' }), 409),
  )
  await D('6 POST /content/:id/unschedule goes back to draft', async () => {
    const id = await scheduled()
    succeeded(await call(id, 'unschedule'))
    equal((await read(id)).status, 'draft')
  })
  await D('6 unschedule of a published post is 409', async () =>
    answers(await call((await published()).uploadId, 'unschedule'), 409),
  )
}

async function archiving({ I, D, api, draft, read, status }) {
  const listed = async (id, archived) =>
    succeeded(await api('GET', '/content', { query: { limit: 100, status: 'draft', archived } })).data.some(
      (post) => post.uploadId === id,
    )
  const id = await I('4.1 PATCH /content/:id/archive: a post', () => draft())
  const put = (verb) => api('PATCH', `/content/${id}/${verb}`)
  const archived = await I('4.1 PATCH /content/:id/archive', async () => ({ post: succeeded(await put('archive')) }))
  await D('6 archive answers with the Post, archived true', () =>
    equal([need(archived, 'not archived').post.uploadId, archived.post.archived], [id, true]),
  )
  await D('4 archivedAt is set', async () =>
    expect(is.time.test((await read(id)).archivedAt), 'a timestamp', (await read(id)).archivedAt),
  )
  await I('3 archived is a flag apart from the status', async () => equal((await status(need(id, 'no post'))).status, 'draft'))
  for (const [query, wanted] of cases([
    [undefined, false],
    ['true', true],
    ['any', true],
    ['false', false],
  ])) {
    await D(`4 archived post in GET /content with archived=${query}: ${wanted}`, async () =>
      equal(await listed(id, query), wanted),
    )
  }
  const restored = await I('4.1 PATCH /content/:id/unarchive', async () => ({ post: succeeded(await put('unarchive')) }))
  await D('6 unarchive answers with the Post, archived false', () =>
    equal([need(restored, 'not restored').post.archived, restored.post.archivedAt], [false, null]),
  )
  await D('4 unarchived post is listed again', async () => equal([await listed(id), await listed(id, 'true')], [true, false]))
  for (const verb of ['archive', 'unarchive'])
    await D(`1 PATCH /content/:id/${verb} of an unknown id is 404`, async () =>
      answers(await api('PATCH', `/content/${hexId()}/${verb}`), 404),
    )
}

async function bulk({ I, D, api, draft, read }) {
  const call = (verb, body) => api('POST', `/content/bulk-${verb}`, { body })
  const ids = await I('4.1 bulk: two posts', () => Promise.all([draft(), draft()]))
  const flags = async () => Promise.all(ids.map(async (id) => (await read(id)).archived))
  for (const [verb, check] of cases([
    ['archive', async () => equal(await flags(), [true, true])],
    ['unarchive', async () => equal(await flags(), [false, false])],
    [
      'delete',
      async () => {
        for (const id of ids) answers(await api('GET', `/content/${id}`), 404)
      },
    ],
  ])) {
    const stranger = hexId()
    const response = await I(`4.1 POST /content/bulk-${verb}`, async () => {
      const answer = await call(verb, { ids: [...need(ids, 'no posts'), stranger] })
      succeeded(answer)
      return answer
    })
    await I(`4.1 POST /content/bulk-${verb} acts on every post`, async () => {
      need(response, 'not answered')
      await check()
    })
    await D(`6 POST /content/bulk-${verb} answers requested, succeeded, failed`, () => {
      const { requested, succeeded: done, failed } = need(response, 'not answered').data
      equal([amount(requested), amount(done), failed.map(({ id }) => id)], [3, 2, [stranger]])
      expect(is.text.test(failed[0].code) && is.text.test(failed[0].message), 'code and message', failed[0])
    })
    await D(`6 POST /content/bulk-${verb} with no ids is 422`, async () => answers(await call(verb, { ids: [] }), 422))
    await D(`6 POST /content/bulk-${verb} with 101 ids is 422`, async () =>
      answers(await call(verb, { ids: Array.from({ length: 101 }, hexId) }), 422),
    )
    await D(`6 POST /content/bulk-${verb} without ids is 422`, async () => answers(await call(verb, {}), 422))
  }
}

async function deleting({ I, D, api, draft, create, later, status }) {
  for (const [kind, make] of cases([
    ['draft', () => draft()],
    ['scheduled post', async () => (await create({ scheduledAt: later() })).uploadId],
    ['completed post', async () => (await create()).uploadId],
  ])) {
    const id = await I(`4.1 DELETE /content/:id: a ${kind}`, async () => {
      const made = await make()
      if (kind === 'completed post')
        await until(
          () => status(made),
          (post) => TERMINAL.includes(post.status),
        )
      return made
    })
    const response = await api('DELETE', `/content/${id}`)
    await I(`4.1 DELETE /content/:id removes a ${kind}`, () => {
      succeeded(response)
    })
    await I(`4.1 DELETE /content/:id of a ${kind} gives no response data`, () =>
      expect(response.ok && (response.data ?? null) === null, 'no data', response.text),
    )
    await D(`1 DELETE of a ${kind} answers 200 with data null`, () =>
      equal([response.status, response.body], [200, { success: true, data: null }]),
    )
    await I(`3 DELETE of a ${kind} is permanent`, async () => {
      answers(await api('GET', `/content/${id}`), 404)
      answers(await api('GET', '/content/status', { query: { requestId: id } }), 404)
      const page = succeeded(await api('GET', '/content', { query: { limit: 100, archived: 'any' } }))
      expect(!page.data.some((post) => post.uploadId === id), 'not listed', id)
    })
    await D(`1 DELETE of a ${kind} again is 404`, async () => answers(await api('DELETE', `/content/${id}`), 404))
  }
}
