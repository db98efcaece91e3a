import { describe, expect, test } from 'vitest'
import { call, callData } from '../support/call.ts'
import { mastodon, testStack, uniqueText } from '../test-stack.ts'

/** Guarantee: numbers, dates and addresses that no database or URL parser accepts are refused at once, and never a server error. */
const huge = ['1e18', '1e308', '1e400', '99999999999999999999999', '-1e18', '0x7fffffffffffffff', 'Infinity']

describe('numbers that no database can represent', () => {
  test.each(huge)('%s is refused wherever a list takes a number', async (value) => {
    for (const [path, names] of [
      ['/content', ['page', 'limit']],
      ['/media', ['page', 'limit']],
      [`/workspaces/${testStack.workspaceId}/audit`, ['limit']],
    ] as const) {
      for (const name of names) {
        const { status } = await call(`GET ${path}`, { query: { [name]: value } })
        expect({ path, name, value, status }).toEqual({ path, name, value, status: 422 })
      }
    }
  })

  test.each([1e18, 1e308, -1, 0.5, 2 ** 53])('%s is refused in a body', async (value) => {
    const bodies = [
      [`PATCH /workspaces/${testStack.workspaceId}`, { holdIfLateMinutes: value }],
      ['POST /media/uploads', { name: 'a.mp4', sizeBytes: value }],
      ['POST /ai/suggest-hashtags', { text: 'bells', platforms: ['x'], count: value }],
    ] as const
    for (const [route, body] of bodies) {
      const { status } = await call(route, { body })
      expect({ route, value, isRefused: status >= 400 && status < 500 }).toEqual({ route, value, isRefused: true })
    }
  })
})

test.each(['0000-01-01', '0000-01-01T00:00:00Z', '-000001-01-01', '+275760-09-14', '9999-12-31T24:00:00Z', '2026-02-31', '1e5'])(
  'the date %s is refused or finds nothing, and is never a server error',
  async (date) => {
    for (const path of ['/content', '/analytics', '/analytics/export']) {
      for (const name of ['from', 'to']) {
        const { status } = await call(`GET ${path}`, { query: { [name]: date } })
        expect({ path, name, date, isAnswered: status < 500 }).toEqual({ path, name, date, isAnswered: true })
      }
    }
  },
)

/** Guarantee: a link that cannot be parsed is never stored, because sending would fail before the first byte. */
test.each([
  'https://<your-site>/promo',
  'https://',
  'http://[',
  'https://a b/',
  'javascript:alert(1)',
  'http://\u0000/',
  'https://%zz/',
])('the link %j is refused', async (linkUrl) => {
  const post = { connections: [mastodon], text: uniqueText('link') }
  for (const body of [
    { ...post, linkUrl },
    { ...post, platformOptions: { [mastodon]: { linkUrl } } },
    { ...post, linkUrl, saveDraft: true },
  ]) {
    expect({ linkUrl, status: (await call('POST /content/text', { body })).status }).toEqual({ linkUrl, status: 422 })
  }
})

/** Guarantee: hostile headers neither crash a change nor get around the check of the version. */
test('a draft cannot be changed with a forged or broken If-Match', async () => {
  const body = { connections: [], text: 'mine', saveDraft: true }
  const { draftId } = await callData<{ draftId: string }>('POST /content/text', { body })
  for (const ifMatch of ['', '"', '""', 'W/', '"*"', '", ,"', `"${'9'.repeat(4000)}"`, '\u00e4', '"2026-01-01"; *']) {
    const { status } = await call(`PATCH /content/${draftId}`, { body: { text: 'theirs' }, headers: { 'if-match': ifMatch } })
    expect({ ifMatch, isRefused: status === 412 || status === 431 || status === 400 }).toEqual({ ifMatch, isRefused: true })
  }
  expect((await callData<{ text: string }>(`GET /content/${draftId}`)).text).toBe('mine')
})

/** Guarantee: no answer to a hostile value contains words of a validator. */
test('hostile values are refused in plain sentences', async () => {
  const jargon = /[Ss]chema|anyOf|oneOf|##|[Mm]ust match|must NOT|\^|\$\{|[Pp]attern|prototype/
  const values: unknown[] = [null, 7, [], {}, 'x'.repeat(30_000), { text: { text: {} } }, [[[]]], '\ud800']
  for (const field of [
    'text',
    'title',
    'firstComment',
    'linkUrl',
    'scheduledAt',
    'timezone',
    'contentFormat',
    'platformOptions',
  ]) {
    for (const value of values) {
      const { status, error } = await call('POST /content/text', { body: { connections: [mastodon], text: 'a', [field]: value } })
      if (status < 300) continue
      for (const { message } of error.details ?? [])
        expect({
          field,
          value: JSON.stringify(value).slice(0, 40),
          message,
          isPlain: !jargon.test(message) && /[^.]\.$/.test(message),
        }).toMatchObject({
          isPlain: true,
        })
    }
  }
})
