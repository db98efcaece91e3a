import { answers, equal, expect, fields, is, need, refused, same, succeeded } from './lib.mjs'
import { POST } from './content.mjs'
import { DAY_MS } from './context.mjs'

const day = (offset = 0) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10)
const ids = (page) => page.data.map((post) => post.uploadId ?? post.id)

export async function lists({ I, D, api, draft, create, media, later, mark, published, slug, status }) {
  const list = async (query) => {
    const page = succeeded(await api('GET', '/content', { query }))
    expect(Array.isArray(page?.data) && page.meta, 'data.data and data.meta', page)
    return page
  }
  // Eleven drafts, one more than the default page.
  const drafts = await Promise.all(Array.from({ length: 11 }, () => draft().catch(() => undefined)))
  const first = await I('4.1 GET /content', () => list())
  await I('4.1 GET /content data is an array of posts', () =>
    expect(is.arrayOf(is.object).test(need(first, 'no page').data), 'array of objects', first.data),
  )
  await fields(I, '4.1 GET /content meta', first?.meta, {
    total: is.integer,
    page: is.integer,
    limit: is.integer,
    totalPages: is.integer,
  })
  await I('8 page default 1', () => equal(need(first, 'no page').meta.page, 1))
  await I('8 page size default 10', () => equal([need(first, 'no page').meta.limit, first.data.length], [10, 10]))
  await I('4.1 GET /content total counts the posts', () =>
    expect(need(first, 'no page').meta.total >= 11, 'at least 11', first.meta.total),
  )
  await fields(D, '4 Post (listed)', first?.data?.[0], POST)

  await I('8 page size maximum 100', async () => equal((await list({ limit: 100 })).meta.limit, 100))
  for (const limit of [101, 200, 1_000_000]) {
    await I(`8 page size ${limit} is refused or cut to 100`, async () => {
      const response = await api('GET', '/content', { query: { limit } })
      if (response.ok)
        expect(response.data.meta.limit <= 100 && response.data.data.length <= 100, 'limit ≤ 100', response.data.meta)
      else refused(response)
    })
  }
  for (const query of [{ limit: 0 }, { limit: -1 }, { limit: 'ten' }, { page: 0 }, { page: -1 }, { page: 'one' }]) {
    await D(`1 GET /content?${new URLSearchParams(query)} is 422`, async () =>
      answers(await api('GET', '/content', { query }), 422),
    )
  }
  await D('1 GET /content?type=opera is 422', async () =>
    answers(await api('GET', '/content', { query: { type: 'opera' } }), 422),
  )
  await D('1 GET /content?status=lost is 422', async () =>
    answers(await api('GET', '/content', { query: { status: 'lost' } }), 422),
  )
  await D('1 GET /content?from=yesterday is 422', async () =>
    answers(await api('GET', '/content', { query: { from: 'yesterday' } }), 422),
  )

  for (const limit of [1, 3, 7]) {
    await I(`4.1 GET /content totalPages with limit ${limit}`, async () => {
      const { meta, data } = await list({ limit, status: 'draft' })
      equal([meta.limit, data.length, meta.totalPages], [limit, Math.min(limit, meta.total), Math.ceil(meta.total / limit)])
    })
  }
  await I('4.1 GET /content pages do not overlap and cover the list', async () => {
    const query = { status: 'draft', limit: 4 }
    const { meta } = await list(query)
    const found = []
    for (let page = 1; page <= Math.min(meta.totalPages, 15); page++) {
      const got = await list({ ...query, page })
      equal(got.meta.page, page)
      found.push(...ids(got))
    }
    equal(new Set(found).size, found.length)
    if (meta.totalPages <= 15) equal(found.length, meta.total)
  })
  await D('6 GET /content newest first', async () => {
    const times = (await list({ limit: 50, status: 'draft' })).data.map((post) => Date.parse(post.createdAt))
    expect(
      times.every((time, at) => at === 0 || times[at - 1] >= time),
      'createdAt never rising',
      times.slice(0, 5),
    )
  })
  await D('6 a page beyond the last is empty', async () => {
    const { data, meta } = await list({ page: 100_000, limit: 100 })
    equal([data, meta.page], [[], 100_000])
  })

  // ---- filters: everything returned matches, and the known post is in or out ----
  const plannedAt = later(431)
  const planned = await I(
    '4.1 GET /content filters: a scheduled post to look for',
    async () => (await create({ scheduledAt: plannedAt })).uploadId,
  )
  const photo = await I('4.1 GET /content filters: a photo draft to look for', async () =>
    draft({ medias: [(await media.png()).id] }, 'photos'),
  )
  const [plain] = drafts
  const filter = async (check, id, query, matches, within, without) => {
    await check(`${id}`, async () => {
      const page = await list({ limit: 100, ...query })
      const odd = page.data.find((post) => !matches(post))
      expect(!odd, 'only matching posts', odd)
      if (within) expect(ids(page).includes(within), `${within} in the list`, ids(page).length)
      if (without) expect(!ids(page).includes(without), `${without} not in the list`, 'it is')
    })
  }
  const platform = slug.split('-')[0]
  const hasPlatform = (post) => post.channels.some((channel) => channel.platform === platform)
  const day0 = plannedAt.slice(0, 10)
  const due = (post) => post.scheduledAt ?? post.createdAt
  await filter(I, '4.1 GET /content status=draft', { status: 'draft' }, (post) => post.status === 'draft', plain, planned)
  await filter(
    I,
    '4.1 GET /content status=scheduled',
    { status: 'scheduled' },
    (post) => post.status === 'scheduled',
    planned,
    plain,
  )
  await published().then(
    ({ uploadId }) =>
      filter(
        I,
        '4.1 GET /content status=completed',
        { status: 'completed' },
        (post) => post.status === 'completed',
        uploadId,
        plain,
      ),
    () => {},
  )
  await filter(
    D,
    '6 GET /content status takes a comma list',
    { status: 'draft,scheduled' },
    (post) => ['draft', 'scheduled'].includes(post.status),
    planned,
  )
  await filter(I, '4.1 GET /content platform', { platform }, hasPlatform, plain)
  await I('4.1 GET /content platform without posts', async () => {
    const other = ['tiktok', 'pinterest', 'x', 'linkedin', 'instagram'].find((name) => name !== platform)
    const page = await list({ platform: other, limit: 100 })
    expect(
      page.data.every((post) => post.channels.some((channel) => channel.platform === other)) && !ids(page).includes(plain),
      `only ${other}`,
      page.data[0],
    )
  })
  await filter(I, '4.1 GET /content type=text', { type: 'text' }, (post) => post.type === 'text', plain, photo)
  await filter(I, '4.1 GET /content type=photo', { type: 'photo' }, (post) => post.type === 'photo', photo, plain)
  for (const type of ['video', 'document'])
    await filter(I, `4.1 GET /content type=${type}`, { type }, (post) => post.type === type, undefined, plain)
  await filter(
    D,
    '6 GET /content type takes a comma list',
    { type: 'photo,video' },
    (post) => ['photo', 'video'].includes(post.type),
    photo,
    plain,
  )
  await filter(I, '4.1 GET /content from and to around today', { from: day(-1), to: day(1), status: 'draft' }, () => true, plain)
  await filter(
    I,
    '4.1 GET /content from tomorrow leaves out today',
    { from: day(1) },
    (post) => Date.parse(due(post)) >= Date.parse(day(1)),
    undefined,
    plain,
  )
  await filter(
    I,
    '4.1 GET /content to yesterday leaves out today',
    { to: day(-1) },
    (post) => Date.parse(due(post)) < Date.parse(day(0)),
    undefined,
    plain,
  )
  await filter(
    D,
    '6 GET /content from/to compare scheduledAt, whole UTC days',
    { from: day0, to: day0 },
    (post) => due(post).slice(0, 10) === day0,
    planned,
    plain,
  )
  await filter(
    D,
    '6 GET /content to leaves out a post scheduled later',
    { from: day(-1), to: day(1) },
    () => true,
    undefined,
    planned,
  )
  await filter(
    I,
    '4.1 GET /content filters combine',
    { status: 'draft', type: 'photo' },
    (post) => post.status === 'draft' && post.type === 'photo',
    photo,
    planned,
  )
  await D('6 GET /content search', async () => {
    const { text } = succeeded(await api('GET', `/content/${need(plain, 'no draft')}`))
    equal(ids(await list({ search: text.split(' ')[1] })), [plain])
    equal((await list({ search: `${mark}-never-written` })).data, [])
  })

  // ---- one post ----
  const one = await I('4.1 GET /content/:id', async () => succeeded(await api('GET', `/content/${need(plain, 'no draft')}`)))
  await fields(D, '4 Post', one, POST)
  await D('2 draftId stays the uploadId', () => equal(need(one, 'no post').uploadId, plain))
  await D('2 GET /content/:id by requestId', async () =>
    equal(succeeded(await api('GET', `/content/${need(one, 'no post').requestId}`)).uploadId, plain),
  )
  await D('4 list and single answer agree', async () => {
    const listed = (await list({ status: 'draft', limit: 100 })).data.find((post) => post.uploadId === plain)
    expect(same(listed?.channels, one.channels) && listed.text === one.text, 'the same text and channels', listed)
  })
  await D('4 status answer and single answer agree', async () => equal((await status(plain)).status, need(one, 'no post').status))
  await D('1 GET /content/:id of an unknown id is 404', async () =>
    answers(await api('GET', '/content/0123456789abcdef01234567'), 404),
  )
  await D('1 GET /content/:id of no id at all is 404 or 422', async () =>
    answers(await api('GET', '/content/not-an-id'), [404, 422]),
  )
}
