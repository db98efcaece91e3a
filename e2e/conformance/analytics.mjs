import { answers, equal, expect, fields, hexId, is, need, succeeded, until } from './lib.mjs'
import { DAY_MS } from './context.mjs'

const day = (offset) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10)
const SUMMARY = {
  totalPublished: is.integer,
  totalSucceeded: is.integer,
  totalFailed: is.integer,
  successRate: is.number,
  totalLikes: is.integer,
  totalComments: is.integer,
  totalShares: is.integer,
  totalImpressions: is.integer,
}
const SNAPSHOT = { date: is.date, published: is.integer, likes: is.integer, comments: is.integer, impressions: is.integer }
const ENTRY = {
  platform: is.platform,
  status: is.text,
  postId: is.orNull(is.string),
  postUrl: is.orNull(is.string),
  publishedAt: is.orNull(is.time),
  targetName: is.string,
  error: is.orNull(is.string),
  engagement: is.object,
}
const ENGAGEMENT = Object.fromEntries(
  ['likes', 'comments', 'shares', 'impressions', 'clicks', 'saves'].map((name) => [name, is.integer]),
)
const round2 = (value) => Math.round(value * 100) / 100

export async function analytics({ I, D, api, published, partial, slug, config, endpoints }) {
  const get = async (query) => succeeded(await api('GET', '/analytics', { query }))
  const post = await published().catch(() => undefined)
  await partial().catch(() => undefined) // gives the success rate something to divide

  const whole = await I('4.4 GET /analytics', () => get())
  await fields(I, '2 Analytics summary', whole?.summary, SUMMARY)
  await I('4.4 GET /analytics snapshots', () =>
    expect(is.arrayOf(is.object).test(whole?.snapshots), 'array of snapshots', whole?.snapshots),
  )
  await fields(I, '2 Analytics snapshot', whole?.snapshots?.[0], SNAPSHOT)
  await I('4.4 GET /analytics counts what was published', async () => {
    need(post, 'nothing was published')
    const now = await until(
      () => get(),
      ({ summary }) => summary.totalSucceeded >= 1 && summary.totalPublished >= 1,
      { timeoutMs: 10_000 },
    )
    expect(now.summary.totalSucceeded >= 1 && now.summary.totalPublished >= 1, 'at least 1', now.summary)
  })
  await I('2 successRate is the percentage of successes, two decimals', async () => {
    const { totalPublished, totalSucceeded, totalFailed, successRate } = (await get()).summary
    // The interface does not state the divisor: it may be all published or all settled channels.
    const rates = [totalPublished, totalSucceeded + totalFailed].map((total) =>
      total ? round2((100 * totalSucceeded) / total) : 0,
    )
    if (totalPublished === 0) rates.push(100)
    expect(rates.includes(successRate), rates.join(' or '), successRate)
  })
  await I('2 totalSucceeded and totalFailed do not exceed totalPublished', async () => {
    const { totalPublished, totalSucceeded, totalFailed } = (await get()).summary
    expect(totalSucceeded + totalFailed <= totalPublished, `≤ ${totalPublished}`, totalSucceeded + totalFailed)
  })

  const range = { from: day(-6), to: day(0) }
  const week = await I('4.4 GET /analytics from, to, granularity day', () => get({ ...range, granularity: 'day' }))
  await I('4.4 GET /analytics snapshots lie in the range', () => {
    const dates = need(week, 'no answer').snapshots.map(({ date }) => date)
    expect(
      dates.every((date) => date >= range.from && date <= range.to),
      `${range.from} to ${range.to}`,
      dates,
    )
  })
  await D('9 one snapshot a day, empty days as zeros', () =>
    equal(
      need(week, 'no answer')
        .snapshots.map(({ date }) => date)
        .toSorted(),
      Array.from({ length: 7 }, (_, at) => day(at - 6)),
    ),
  )
  await D('9 default range is the last 30 days by day', async () => {
    const dates = (await get()).snapshots.map(({ date }) => date)
    expect([30, 31].includes(dates.length) && dates.includes(day(0)), '30 or 31 days up to today', [dates.length, dates.at(-1)])
  })
  await D('9 published of the snapshots adds up to totalPublished', async () => {
    const { snapshots, summary } = await get(range)
    equal(
      snapshots.reduce((sum, { published: count }) => sum + count, 0),
      summary.totalPublished,
    )
  })
  await I('4.4 GET /analytics a range before everything is empty', async () =>
    equal((await get({ from: '2001-01-01', to: '2001-01-07' })).summary.totalPublished, 0),
  )
  await I('4.4 GET /analytics granularity week', async () => {
    const { snapshots } = await get({ from: day(-27), to: day(0), granularity: 'week' })
    expect(snapshots.length >= 1 && snapshots.length <= 5, '1 to 5 weeks', snapshots.length)
  })
  await I('4.4 GET /analytics granularity month', async () => {
    const { snapshots } = await get({ from: day(-60), to: day(0), granularity: 'month' })
    expect(snapshots.length >= 1 && snapshots.length <= 4, '1 to 4 months', snapshots.length)
  })
  await D('9 a month snapshot is dated its first day', async () => {
    const { snapshots } = await get({ from: `${day(-60).slice(0, 7)}-01`, to: day(0), granularity: 'month' })
    expect(
      snapshots.every(({ date }) => date.endsWith('-01')),
      'YYYY-MM-01',
      snapshots.map(({ date }) => date),
    )
  })
  await I('4.4 GET /analytics platform', async () => {
    const platform = slug.split('-')[0]
    const { summary } = await get({ platform })
    expect(summary.totalPublished <= (await get()).summary.totalPublished, 'no more than in all', summary)
  })
  await D('1 GET /analytics granularity=hour is 422', async () =>
    answers(await api('GET', '/analytics', { query: { granularity: 'hour' } }), 422),
  )
  await D('1 GET /analytics from=yesterday is 422', async () =>
    answers(await api('GET', '/analytics', { query: { from: 'yesterday' } }), 422),
  )

  const one = await I('4.4 GET /analytics/post/:uploadId', async () =>
    succeeded(await api('GET', `/analytics/post/${need(post, 'nothing was published').uploadId}`)),
  )
  await fields(I, '4.4 GET /analytics/post/:uploadId', one, {
    uploadId: is.hex24,
    requestId: is.uuid,
    title: is.orNull(is.string),
    status: is.text,
    scheduledAt: is.orNull(is.time),
    createdAt: is.time,
    platforms: is.arrayOf(is.object),
  })
  await I('4.4 post analytics by requestId', async () =>
    equal(
      succeeded(await api('GET', `/analytics/post/${need(post, 'nothing was published').requestId}`)).uploadId,
      post.uploadId,
    ),
  )
  await I('4.4 post analytics belong to the post', () => {
    need(one, 'no answer')
    equal(
      [one.uploadId, one.requestId, one.status, one.platforms.length],
      [post.uploadId, post.requestId, post.status, post.channels.length],
    )
  })
  await I('2 post analytics show the title', () =>
    expect(need(one, 'no answer').title?.endsWith('title'), 'the title given', one.title),
  )
  await fields(I, '2 post analytics platform entry', one?.platforms?.[0], ENTRY)
  await fields(I, '2 post analytics engagement', one?.platforms?.[0]?.engagement, ENGAGEMENT)
  await I('7 error is null where a channel had no error', () => equal(need(one?.platforms?.[0], 'no entry').error, null))
  await I('7 error is text where a channel failed', async () => {
    const { uploadId } = await partial()
    const { platforms } = succeeded(await api('GET', `/analytics/post/${uploadId}`))
    equal(platforms.filter(({ error }) => is.text.test(error)).length, 1)
  })
  await D('1 post analytics of an unknown id is 404', async () => answers(await api('GET', `/analytics/post/${hexId()}`), 404))

  const metrics = await I('4.4 GET /analytics/platform-metrics', async () =>
    succeeded(await api('GET', '/analytics/platform-metrics')),
  )
  await I('4.4 platform-metrics is an array', () => expect(Array.isArray(metrics) && metrics.length > 0, 'array', metrics))
  await fields(I, '2 Platform metric schema', metrics?.[0], {
    platform: is.platform,
    primaryImpression: is.string,
    metrics: is.arrayOf(is.text),
    labels: is.object,
  })
  await I('2 every metric has a label and every label a metric', () => {
    for (const entry of need(metrics, 'no answer')) equal(Object.keys(entry.labels).toSorted(), [...entry.metrics].toSorted())
  })
  await D('9 platform-metrics covers the connected platforms', () => {
    const known = need(metrics, 'no answer').map(({ platform }) => platform)
    const missing = config.connections.map((entry) => entry.split('-')[0]).filter((platform) => !known.includes(platform))
    equal(missing, [])
  })
  const sync = await I('4.4 POST /analytics/sync without a body', async () => succeeded(await api('POST', '/analytics/sync')))
  await fields(I, '4.4 POST /analytics/sync', sync, { enqueued: is.integer })
  await D('9 GET /analytics/export is CSV', async () => {
    const response = await api('GET', '/analytics/export', { quiet: true })
    expect(
      response.ok && /csv/.test(response.headers.get('content-type')),
      '200 text/csv',
      `${response.status} ${response.headers.get('content-type')}`,
    )
  })
  await endpoints(4.4)
}
