import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from '../../test/simulate.ts'
import {
  draftFor,
  find,
  findVisiblePosts,
  newHandle,
  openTestAccount,
  publish,
  publishAndGetId,
} from '../kit/conformance/test-account.ts'
import { createHttp } from '../kit/create-http.ts'
import { testConnector } from '../kit/test-connector.ts'
import { attach, auth } from './auth.ts'
import { devto } from './devto.ts'
import { classify } from './errors.ts'
import { titleOf } from './find.ts'

const fieldsOf = ({ credentials }: { credentials: { accessToken: string } }) => ({ apiKey: credentials.accessToken })

testConnector(devto, simulate('devto', { fieldsOf }))

describe('what only DEV does', () => {
  const platform = simulate('devto', { fieldsOf })
  beforeAll(() => platform.start())
  afterAll(() => platform.stop())

  const open = (handle: string) => openTestAccount(devto, platform, handle)

  test('connecting says which mistake was made', async () => {
    const signIn = (apiKey: string, origin = platform.origin()) => {
      const { transport } = platform
      return auth.open(createHttp({ transport, origin, credentials: null, classify, nowMs: Date.now }), { apiKey }, Date.now())
    }
    const says = (part: string) => ({ kind: 'auth', message: expect.stringContaining(part) })
    const { credentials } = await platform.connect('writer')
    await expect(signIn(` ${credentials.accessToken}\n`)).resolves.toEqual({ accessToken: credentials.accessToken })
    await expect(signIn('a key')).rejects.toMatchObject(says('letters and digits'))
    await expect(signIn('a'.repeat(24))).rejects.toMatchObject(says('does not accept'))
    await expect(signIn(credentials.accessToken, `${platform.origin()}/nowhere`)).rejects.toMatchObject(says('No Forem'))
    expect(attach('key', 0).headers).toMatchObject({ accept: 'application/vnd.forem.api-v1+json' })
  })

  test('settings become fields of the article', async () => {
    const account = await open('setter')
    const draft = draftFor(account, { title: 'On bells' })
    const chosen = { tags: ['Bells', 'towers'], cover: 'https://a.example/bell.png', canonicalUrl: 'https://a.example/bells' }
    await publish(account, { ...draft, settings: { ...draft.settings, ...chosen } })
    const [seen] = await findVisiblePosts(account, draft.text)
    const { cover: main_image, canonicalUrl: canonical_url } = chosen
    expect(seen?.options).toMatchObject({ tags: 'Bells, towers', main_image, canonical_url })
  })

  /** Guarantee: nothing that a person writes changes what is published, or whether it is. */
  test('a text that looks like fields is a text', async () => {
    const account = await open('dashes')
    const draft = draftFor(account, { title: 'On bells', text: '---\ntitle: Other\npublished: false\n---\nThey ring.' })
    const outcome = await publish(account, draft)
    expect(await platform.posts('dashes')).toMatchObject([{ text: '***\ntitle: Other\npublished: false\n---\nThey ring.' }])
    expect(await find(account, { draft, staged: null, handle: newHandle() })).toEqual({ ...outcome, byWords: true })
  })

  /** Guarantee: a repeat that the site refuses leads to the article of the earlier attempt. */
  test('the same title, or a canonical address that is taken, is a repeat', async () => {
    const account = await open('repeater')
    const draft = draftFor(account, { title: 'Twice' })
    const linked = { ...draft, title: 'Once', settings: { ...draft.settings, canonicalUrl: 'https://a.example/once' } }
    await publish(account, draft)
    await expect(publish(account, draft)).rejects.toMatchObject({ kind: 'rejected', isDuplicate: true })
    await publish(account, linked)
    await expect(publish(account, { ...linked, title: 'Again' })).rejects.toMatchObject({
      reason: 'duplicate',
      isDuplicate: true,
    })
  })

  test('a draft has no address, and one whose answer was lost is in doubt', async () => {
    const account = await open('drafter')
    const draft = draftFor(account, { settings: { draft: true } })
    expect(await publish(account, draft)).toMatchObject({ state: 'published', postUrl: null })
    expect(await find(account, { draft, staged: null, handle: newHandle() })).toEqual({ state: 'unknown' })
    const other = draftFor(account, { settings: { draft: true } })
    expect(await find(account, { draft: other, staged: null, handle: newHandle() })).toMatchObject({ state: 'absent' })
  })

  test('figures are those of the newest articles, and an article that was taken back has none', async () => {
    const account = await open('counted')
    const [kept, taken] = [await publishAndGetId(account, draftFor(account)), await publishAndGetId(account, draftFor(account))]
    await devto.remove?.(account.client, taken)
    const figures = await devto.metrics?.(account.client, [kept, taken, '999'])
    expect([...(figures ?? [])]).toEqual([[kept, { likes: 0, comments: 0, impressions: 0 }]])
  })
})

test('a title is one line of at most 128 characters, from the text if there is none', () => {
  expect(titleOf({ title: null, text: '\nFirst line\nSecond' })).toBe('First line')
  expect([...titleOf({ title: null, text: 'a'.repeat(129) })]).toHaveLength(128)
  expect(titleOf({ title: null, text: '' })).toBe('')
})

/** The sentences of Forem's own translations. */
test.each([
  [401, 'unauthorized', 'auth', 'reconnect'],
  [404, 'not found', 'gone', 'not_found'],
  [422, "Title can't be blank", 'rejected', 'title_refused'],
  [422, 'Tag list exceed the maximum of 4 tags', 'rejected', 'tags_refused'],
  [422, 'Tag "a b" contains non-alphanumeric or prohibited unicode characters', 'rejected', 'tags_refused'],
  [422, 'Body markdown is too long.', 'rejected', 'text_too_long'],
  [422, 'Le titre est pris', 'rejected', 'refused'],
  [429, 'Rate limit reached, try again in 30 seconds', 'limited', 'slow_down'],
  [500, 'Internal Server Error', 'unknown', null],
])('a refusal: %i %s', (status, error, kind, reason) => {
  expect(classify({ status, headers: {}, body: { error, status } }, 0)).toMatchObject({ kind, reason })
})
