import { formOf, svg } from './fixtures.mjs'
import { amount, answers, cases, equal, expect, fields, hexId, is, need, refused, skip, succeeded } from './lib.mjs'

const MEDIA = {
  id: is.hex24,
  name: is.text,
  type: is.oneOf('image', 'video', 'document'),
  mimeType: is.text,
  sizeBytes: is.integer,
  url: is.httpUrl,
  tags: is.arrayOf(is.string),
  alt: is.string,
  description: is.string,
  createdAt: is.time,
}
const KINDS = {
  png: ['image', 'image/png'],
  jpeg: ['image', 'image/jpeg'],
  pdf: ['document', 'application/pdf'],
  mp4: ['video', 'video/mp4'],
}

export async function media({ I, D, api, upload, media: shared, mark, file, draft, endpoints }) {
  const get = async (id) => succeeded(await api('GET', `/media/${id}`))
  const list = async (query) => succeeded(await api('GET', '/media', { query }))
  const has = (page, id) => page.results.some((item) => item.id === id)

  // ---- upload and download ----
  for (const [kind, [type, mimeType]] of Object.entries(KINDS)) {
    const item = await I(`4.2 POST /media/upload ${kind}`, () => shared[kind]())
    if (kind === 'png' || kind === 'pdf') await fields(I, `2 Media item (${kind})`, item, MEDIA)
    await I(`2 Media item ${kind}: type, mimeType, sizeBytes, name`, () => {
      const { sent } = need(item, 'not uploaded')
      equal([item.type, item.mimeType, item.sizeBytes, item.name], [type, mimeType, sent.bytes.length, sent.name])
    })
    await I(`2 Media item ${kind}: url downloads the same bytes without a key`, async () => {
      const response = await fetch(need(item, 'not uploaded').url)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(
        response.ok && bytes.equals(item.sent.bytes),
        `200 and ${item.sent.bytes.length} equal bytes`,
        `${response.status} and ${bytes.length} bytes`,
      )
    })
  }
  const item = await shared.png().catch(() => undefined)
  await I('2 Media item url is signed: altered, it opens nothing', async () => {
    const url = new URL(need(item, 'not uploaded').url)
    const [name, value] =
      [...url.searchParams].toSorted(([, a], [, b]) => b.length - a.length)[0] ??
      skip('the url has no query; the signature is elsewhere')
    url.searchParams.set(name, value.slice(0, -4) + (value.endsWith('aaaa') ? 'bbbb' : 'aaaa'))
    const response = await fetch(url)
    expect(!response.ok, 'a refusal', response.status)
  })
  await D('1 POST /media/upload answers 201', async () => {
    succeeded(await api('POST', '/media/upload', { form: formOf(['file', file('png')]) }), 201)
  })
  await D('7 Media extra fields width and height', () => equal([need(item, 'not uploaded').width, item.height], [640, 640]))
  await D('7 Media pages of a PDF', async () => equal((await shared.pdf()).pages, 1))
  await D('7 Media durationSeconds of a video', async () => {
    const { durationSeconds } = await shared.mp4()
    expect(Math.abs(durationSeconds - 3) < 0.5, 'about 3', durationSeconds)
  })
  await I('4.2 POST /media/upload without a file part refused', async () =>
    refused(await api('POST', '/media/upload', { form: formOf(['other', 'x']) })),
  )
  await I('4.2 POST /media/upload with a part of another name refused', async () =>
    refused(await api('POST', '/media/upload', { form: formOf(['picture', file('png')]) })),
  )
  await I('4.2 POST /media/upload takes multipart only', async () =>
    refused(await api('POST', '/media/upload', { body: { file: 'x' } })),
  )
  await D('1 POST /media/upload of JSON is 415', async () =>
    answers(await api('POST', '/media/upload', { body: { file: 'x' } }), 415),
  )
  await D('7 type comes from the bytes, not the name', async () => {
    const wrong = { ...file('png'), name: `${mark}-wrong.pdf`, type: 'application/pdf' }
    const made = succeeded(await api('POST', '/media/upload', { form: formOf(['file', wrong]) }))
    equal([made.type, made.mimeType], ['image', 'image/png'])
  })
  for (const [id, part] of cases([
    ['SVG', { bytes: svg(), name: `${mark}.svg`, type: 'image/svg+xml' }],
    ['plain text named .png', { bytes: Buffer.from('no picture'), name: `${mark}.png`, type: 'image/png' }],
    ['empty file', { bytes: Buffer.alloc(0), name: `${mark}.png`, type: 'image/png' }],
  ])) {
    await D(`7 ${id} is refused`, async () =>
      answers(await api('POST', '/media/upload', { form: formOf(['file', part]) }), [415, 422]),
    )
  }

  // ---- update ----
  const mine = await I('4.2 PATCH /media/:id: an item to change', () => upload('jpeg'))
  const path = `/media/${mine?.id}`
  const tags = [`${mark}a`, `${mark}b`]
  const patched = { alt: 'A grey square', description: 'For tests', tags }
  for (const [name, value] of Object.entries(patched)) {
    await I(`4.2 PATCH /media/:id field ${name}`, async () => {
      succeeded(await api('PATCH', path, { body: { [name]: value } }))
      equal((await get(mine.id))[name], value)
    })
  }
  await I('4.2 PATCH /media/:id keeps the earlier fields', async () => {
    const { alt, description } = await get(need(mine, 'no item').id)
    equal({ alt, description }, { alt: patched.alt, description: patched.description })
  })
  for (const body of [{ alt: 7 }, { description: 7 }, { tags: 'one' }, { tags: [7] }])
    await D(`1 PATCH /media/:id ${JSON.stringify(body)} is 422`, async () => answers(await api('PATCH', path, { body }), 422))
  await D('1 PATCH /media/:id unknown field is 422', async () =>
    answers(await api('PATCH', path, { body: { surprise: 1 } }), 422),
  )
  await D('1 PATCH /media/:id field name is refused', async () =>
    answers(await api('PATCH', path, { body: { sizeBytes: 1 } }), 422),
  )
  const one = await I('4.2 GET /media/:id', () => get(mine.id))
  await fields(I, '2 Media item (GET)', one, MEDIA)

  // ---- list ----
  const page = await I('4.2 GET /media', () => list())
  await fields(I, '4.2 GET /media', page, {
    results: is.arrayOf(is.object),
    total: is.integer,
    page: is.integer,
    limit: is.integer,
  })
  await I('4.2 GET /media page starts at 1', () => equal(need(page, 'no page').page, 1))
  await fields(I, '2 Media item (listed)', page?.results?.[0], MEDIA)
  for (const [type, kind] of cases([
    ['image', 'png'],
    ['document', 'pdf'],
    ['video', 'mp4'],
  ])) {
    await I(`4.2 GET /media type=${type}`, async () => {
      const found = await list({ type, search: mark, limit: 100 })
      expect(
        found.results.every((entry) => entry.type === type),
        `only ${type}`,
        found.results.find((entry) => entry.type !== type)?.type,
      )
      expect(
        has(found, (await shared[kind]()).id),
        `the ${kind} in the list`,
        found.results.map((entry) => entry.name),
      )
    })
  }
  await D('1 GET /media type=opera is 422', async () => answers(await api('GET', '/media', { query: { type: 'opera' } }), 422))
  await I('4.2 GET /media search matches the name', async () => {
    const { id, name } = await shared.png()
    const found = await list({ search: name.slice(0, -4) })
    equal([found.total, found.results.map((entry) => entry.id)], [1, [id]])
  })
  await I('4.2 GET /media search without a match', async () => equal((await list({ search: `${mark}-never` })).results, []))
  await I('4.2 GET /media tags', async () =>
    equal(
      (await list({ tags: tags[0] })).results.map((entry) => entry.id),
      [need(mine, 'no item').id],
    ),
  )
  await I('4.2 GET /media tags comma-separated', async () =>
    equal(
      (await list({ tags: tags.join(',') })).results.map((entry) => entry.id),
      [need(mine, 'no item').id],
    ),
  )
  await I('4.2 GET /media tags without a match', async () => equal((await list({ tags: `${mark}none` })).results, []))
  await I('4.2 GET /media page and limit', async () => {
    const [first, second] = [await list({ search: mark, limit: 1, page: 1 }), await list({ search: mark, limit: 1, page: 2 })]
    equal([first.results.length, second.results.length, first.limit, second.page], [1, 1, 1, 2])
    expect(first.results[0].id !== second.results[0].id && first.total >= 3, 'two different items', first.total)
  })

  // ---- delete ----
  const deleted = await api('DELETE', path)
  await I('4.2 DELETE /media/:id', () => {
    succeeded(deleted)
  })
  await I('4.2 DELETE /media/:id gives no response data', () =>
    expect(deleted.ok && (deleted.data ?? null) === null, 'no data', deleted.text),
  )
  await D('1 DELETE /media/:id answers 200 with data null', () =>
    equal([deleted.status, deleted.body], [200, { success: true, data: null }]),
  )
  await I('4.2 DELETE /media/:id removes it', async () => {
    answers(await api('GET', path), 404)
    expect(!has(await list({ search: mark, limit: 100 }), mine.id), 'not listed', mine.id)
  })
  await D('1 GET, PATCH, DELETE /media/:id of an unknown id are 404', async () => {
    answers(await api('GET', `/media/${hexId()}`), 404)
    answers(await api('PATCH', `/media/${hexId()}`, { body: { alt: 'x' } }), 404)
    answers(await api('DELETE', `/media/${hexId()}`), 404)
  })
  await D('7 media used by a draft is 409 media_in_use, unless forced', async () => {
    const used = await upload('png')
    await draft({ medias: [used.id] }, 'photos')
    answers(await api('DELETE', `/media/${used.id}`), 409, 'media_in_use')
    succeeded(await api('DELETE', `/media/${used.id}`, { query: { force: 'true' } }))
  })
  const pair = await I('4.2 POST /media/bulk-delete: two items', () => Promise.all([upload('png'), upload('png')]))
  const stranger = hexId()
  const bulk = await I('4.2 POST /media/bulk-delete', async () => {
    const answer = await api('POST', '/media/bulk-delete', {
      body: { ids: [...need(pair, 'no items').map(({ id }) => id), stranger] },
    })
    succeeded(answer)
    return answer.data
  })
  await I('4.2 POST /media/bulk-delete removes every item', async () => {
    for (const { id } of need(pair, 'no items')) answers(await api('GET', `/media/${id}`), 404)
  })
  await D('6 POST /media/bulk-delete answers requested, succeeded, failed', () => {
    const { requested, succeeded: done, failed } = need(bulk, 'not answered')
    equal([amount(requested), amount(done), failed.map(({ id }) => id)], [3, 2, [stranger]])
  })
  await I('4.2 POST /media/bulk-delete without ids refused', async () =>
    refused(await api('POST', '/media/bulk-delete', { body: {} })),
  )
  await D('6 POST /media/bulk-delete with 101 ids is 422', async () =>
    answers(await api('POST', '/media/bulk-delete', { body: { ids: Array.from({ length: 101 }, hexId) } }), 422),
  )
  await D('7 POST /media/uploads exists', async () =>
    answers(await api('POST', '/media/uploads', { body: { surprise: 1 } }), 422),
  )
  await endpoints(4.2)
}
