import { answers, cases, equal, expect, fields, is, names, need, refused, skip, succeeded } from './lib.mjs'

/** Decisions 13: drafts that are saved while they are written, and what else was settled after the first build. */
export async function drafts(context) {
  await sameFields(context)
  await unfinished(context)
  await versions(context)
  await autosave(context)
  await details(context)
  await overrides(context)
  await counting(context)
}

async function sameFields({ D, api, draft, read, text, later, media }) {
  const id = await D('13 a draft to change', () => draft())
  const patch = (body, of = id) => api('PATCH', `/content/${of}`, { body })
  for (const [name, value] of cases([
    ['saveDraft', true],
    ['saveDraft', false],
    ['async', true],
    ['async', false],
  ])) {
    await D(`13 PATCH /content/:id takes ${name} ${value} and changes nothing by it`, async () => {
      const title = `${name} ${value}`
      const post = succeeded(await patch({ title, [name]: value }), 200)
      equal([post.status, post.title], ['draft', title])
    })
    await D(`13 POST /content/validate takes ${name} ${value}`, async () =>
      equal(succeeded(await api('POST', '/content/validate', { body: { ...text(), type: 'text', [name]: value } })).valid, true),
    )
  }
  await D('13 PATCH /content/:id takes the body of a create', async () => {
    const body = text({ title: 'T', linkUrl: 'https://example.com/', scheduledAt: later(), timezone: 'UTC', saveDraft: true })
    equal(succeeded(await patch(body)).text, body.text)
  })
  await D('13 PATCH /content/:id changes the type', async () => {
    const photo = (await media.png()).id
    equal(succeeded(await patch({ type: 'photo', medias: [photo] })).type, 'photo')
    const stored = await read(id)
    equal([stored.type, stored.medias.length], ['photo', 1])
    equal(succeeded(await patch({ type: 'text', medias: [] })).type, 'text')
  })
  await D('13 PATCH /content/:id with an unknown type is 422', async () => names(await patch({ type: 'opera' }), 'type'))
}

async function unfinished({ D, api, read, text, slug }) {
  const create = (kind, body) => api('POST', `/content/${kind}`, { body })
  for (const [label, kind, body] of cases([
    ['no connections', 'text', { connections: [], text: 'x' }],
    ['no connections and no text', 'text', { connections: [] }],
    ['an empty text', 'text', { connections: [slug], text: '' }],
    ['no text', 'text', { connections: [slug] }],
    ['no media in a photo post', 'photos', { connections: [slug] }],
    ['empty medias in a video post', 'video', { connections: [], medias: [] }],
    ['no media in a document post', 'document', { connections: [] }],
  ])) {
    const id = await D(
      `13 a draft with ${label} is stored`,
      async () => succeeded(await create(kind, { ...body, saveDraft: true }), 201).draftId,
    )
    await D(`13 a draft with ${label} has warnings`, async () => {
      const post = await read(need(id, 'no draft'))
      equal(post.status, 'draft')
      const warnings = [...(post.warnings ?? []), ...post.channels.flatMap(({ result }) => result.warnings ?? [])]
      expect(warnings.length > 0 && warnings.every((entry) => typeof entry === 'string'), 'warnings', warnings)
    })
    await D(`13 publishing a draft with ${label} is refused`, async () =>
      answers(await api('POST', `/content/${need(id, 'no draft')}/publish`), 422),
    )
    await D(`13 the same without saveDraft (${label}) is 422`, async () => answers(await create(kind, body), 422))
  }
  await D('13 a draft without the field connections is 422', async () =>
    names(await create('text', { text: 'x', saveDraft: true }), 'connections'),
  )
  await D('13 PATCH empties a draft, and a later PATCH completes it', async () => {
    const { draftId } = succeeded(await create('text', text({ saveDraft: true })))
    const emptied = succeeded(await api('PATCH', `/content/${draftId}`, { body: { connections: [], text: '' } }))
    equal(emptied.channels.length, 0)
    const full = succeeded(await api('PATCH', `/content/${draftId}`, { body: { connections: [slug], text: 'whole again' } }))
    equal([full.channels.length, full.text, full.warnings], [1, 'whole again', []])
  })
}

async function versions({ D, api, draft, read }) {
  const id = await D('13 a draft with a version', () => draft())
  const get = () => api('GET', `/content/${need(id, 'no draft')}`)
  const patch = (title, match) =>
    api('PATCH', `/content/${id}`, { body: { title }, ...(match && { headers: { 'if-match': match } }) })
  const first = (await get()).headers.get('etag')
  await D('13 GET /content/:id has an ETag', () => expect(/^(W\/)?"[^"]+"$/.test(first ?? ''), 'an ETag', first))
  const changed = await patch('second', first)
  await D('13 PATCH with the current ETag in If-Match succeeds', () => equal(succeeded(changed).title, 'second'))
  await D('13 PATCH answers with a new ETag', () =>
    expect(changed.headers.get('etag') && changed.headers.get('etag') !== first, 'another ETag', changed.headers.get('etag')),
  )
  await D('13 the ETag of PATCH is that of GET', async () =>
    equal((await get()).headers.get('etag'), changed.headers.get('etag')),
  )
  const stale = await patch('third', first)
  await D('13 PATCH with a stale ETag is 412 draft_changed', () => answers(stale, 412, 'draft_changed'))
  await D('13 the refusal has the current post', () =>
    expect(JSON.stringify(stale.body ?? {}).includes('"second"'), 'the current title', stale.body),
  )
  await D('13 a refused change changes nothing', async () => equal((await read(id)).title, 'second'))
  await D('13 without If-Match the last write wins', async () => equal(succeeded(await patch('fourth')).title, 'fourth'))
  await D('13 two changes after another have different ETags', async () => {
    const tags = [await patch('a'), await patch('b'), await patch('c')].map(({ headers }) => headers.get('etag'))
    equal(new Set(tags).size, 3)
  })
}

async function autosave({ D, api, draft, config }) {
  const id = await D('13 a draft that a program saves', () => draft())
  const headers = { prefer: 'autosave', 'idempotency-key': `autosave-${id}` }
  await D('13 Prefer: autosave saves every change, whatever its Idempotency-Key', async () => {
    for (const title of ['one', 'two', 'three'])
      equal(succeeded(await api('PATCH', `/content/${need(id, 'no draft')}`, { body: { title }, headers })).title, title)
  })
  await D('13 Prefer: autosave writes at most one audit entry in ten minutes', async () => {
    const log = await api('GET', `/workspaces/${config.workspaceId}/audit`, { query: { limit: 100 } })
    if (!log.ok) skip('the audit log cannot be read with this key')
    const entries = log.data.data.filter((entry) => entry.subjectId === id && entry.action === 'post.update')
    equal(entries.length, 1)
  })
}

async function details({ D, api, text, slug }) {
  const response = await api('POST', '/content/text', { body: text({ surprise: 1 }) })
  const shape = { path: is.string, code: is.text, message: is.text, params: is.object }
  await fields(D, '13 details of a refused request', response.error?.details?.[0], shape)
  const long = { connections: [slug], text: 'a'.repeat(24_000) }
  const broken = await api('POST', '/content/text', { body: long })
  await D('13 a text that is too long for the platform is refused', () => refused(broken))
  await fields(D, '13 details of a refused post', broken.error?.details?.[0], shape)
  await D('13 a draft lists the same in issues', async () => {
    const { draftId } = succeeded(await api('POST', '/content/text', { body: { ...long, saveDraft: true } }))
    const { issues } = succeeded(await api('GET', `/content/${draftId}`))
    const codes = issues.filter(({ blocking }) => blocking).map(({ code }) => code)
    equal(
      codes,
      broken.error.details.map(({ code }) => code),
    )
  })
  const jargon = /[Ss]chema|anyOf|oneOf|##|[Mm]ust match|must NOT|\^|\\|[Pp]attern/
  for (const [label, body] of cases([
    ['a list of connections twice the same', text({ connections: [slug, slug] })],
    ['a comment that is a number', text({ firstComment: 7 })],
    ['an unknown setting', text({ platformOptions: { [slug]: { surprise: 1 } } })],
    ['a link that is none', text({ linkUrl: 'https://<your-site>/promo' })],
    ['a link without a scheme', text({ linkUrl: 'example.com' })],
  ])) {
    await D(`13 ${label} is refused in plain sentences`, async () => {
      const refusal = await api('POST', '/content/text', { body })
      answers(refusal, 422)
      const messages = refusal.error.details.map(({ message }) => message)
      expect(
        messages.length > 0 && messages.every((message) => !jargon.test(message) && /[^.]\.$/.test(message)),
        'sentences',
        messages,
      )
    })
  }
  await D('13 a list filter that is wrong is refused in a plain sentence', async () => {
    const refusal = await api('GET', '/content', { query: { status: 'opera' } })
    answers(refusal, 422)
    expect(!jargon.test(refusal.error.details[0].message), 'a sentence', refusal.error.details)
  })
  await D('13 page=1e18 is no server error', async () =>
    answers(await api('GET', '/content', { query: { page: '1e18' } }), [200, 422]),
  )
}

async function overrides({ D, api, text, slug, read }) {
  await D('13 an override may clear a common field with null', async () => {
    const body = text({
      saveDraft: true,
      firstComment: 'First!',
      platformOptions: { [slug]: { firstComment: null, title: null } },
    })
    const { draftId } = succeeded(await api('POST', '/content/text', { body }))
    equal((await read(draftId)).platformOptions[slug], { firstComment: null, title: null })
  })
  await D('13 bulk with an id twice adds up', async () => {
    const { draftId } = succeeded(await api('POST', '/content/text', { body: text({ saveDraft: true }) }))
    const bulk = succeeded(await api('POST', '/content/bulk-archive', { body: { ids: [draftId, draftId] } }))
    equal(bulk.requested, bulk.succeeded + bulk.failed.length)
  })
  await D('13 search finds other letters than ASCII in either case', async () => {
    const word = `Ärger${Date.now()}`
    const { draftId } = succeeded(await api('POST', '/content/text', { body: text({ saveDraft: true, text: word }) }))
    const found = succeeded(await api('GET', '/content', { query: { search: word.replace('Ä', 'ä') } }))
    equal(
      found.data.map(({ uploadId }) => uploadId),
      [draftId],
    )
  })
}

async function counting({ D, api, create, later }) {
  await D('13 a post that is unscheduled, edited and published again counts once', async () => {
    const made = await create({ scheduledAt: later() })
    const before = made.usage.count
    succeeded(await api('POST', `/content/${made.uploadId}/unschedule`))
    succeeded(await api('PATCH', `/content/${made.uploadId}`, { body: { title: 'edited' } }))
    equal(succeeded(await api('POST', `/content/${made.uploadId}/publish`)).status, 'scheduled')
    const next = await create({ scheduledAt: later() })
    equal(next.usage.count, before + 1)
  })
}
