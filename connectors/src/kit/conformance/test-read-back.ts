import { describe, expect, test } from 'vitest'
import type { Connector, Draft } from '../connector.ts'
import type { Transport } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import {
  clientFor,
  draftFor,
  find,
  findVisiblePosts,
  newHandle,
  newText,
  openTestAccount,
  publish,
  publishAndGetId,
  send,
  type SentPost,
  stage,
  type TestAccount,
} from './test-account.ts'
import type { TestPlatform } from './test-platform.ts'

/** Guarantee: a post is found by `find` only if it is the one that was sent. */
export function testReadBack(connector: Connector, testPlatform: TestPlatform): void {
  const { manifest } = connector

  describe.runIf('find' in connector)('reading back', () => {
    const links = ['https://carillon.example/one', 'https://carillon.example/two'] as const
    const inText = (words: string, link: string): Partial<Draft> => ({ text: `${words} ${link}` })
    const inField = (words: string, link: string): Partial<Draft> => ({ text: words, linkUrl: link })
    const places = [
      { place: 'the text', draftOf: inText },
      ...(manifest.can.linkUrl && manifest.text.alone ? [{ place: 'the link field', draftOf: inField }] : []),
    ]

    test.for(places)('a post with the same words and another link in $place is not ours', async ({ draftOf }) => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const words = newText()
      const firstId = await publishAndGetId(testAccount, draftFor(testAccount, draftOf(words, links[0])))
      const lost = await sendAndLose(testAccount, draftFor(testAccount, draftOf(words, links[1])))
      for (const staged of [lost.staged, null]) {
        expect((await find(testAccount, { ...lost, staged })).state).not.toBe('published')
        expect((await find(testAccount, { ...lost, staged }, [firstId])).state).not.toBe('published')
      }
    })

    test('a post of another channel is not ours, even if it is equal', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const draft = draftFor(testAccount)
      const otherId = await publishAndGetId(testAccount, draft)
      const lost = await sendAndLose(testAccount, draft)
      for (const staged of [lost.staged, null]) {
        expect((await find(testAccount, { ...lost, staged }, [otherId])).state).not.toBe('published')
      }
    })

    // X and LinkedIn refuse the same text.
    test.runIf(manifest.handle !== 'readback')('of two equal posts it is unknown which is ours', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const draft = draftFor(testAccount)
      await publish(testAccount, draft)
      await publish(testAccount, draft)
      // On some platforms the key is in what was staged.
      const staged = manifest.handle === 'key' ? await stage(testAccount, draft) : null
      const read = () => find(testAccount, { draft, staged, handle: newHandle() })
      // Bluesky knows each post by its key, so neither of the two can be ours.
      const expected = manifest.handleLastsMs === null && manifest.handle === 'key' ? absentByKey : { state: 'unknown' }
      await expect.poll(read, { timeout: 3000 }).toEqual(expected)
    })

    test('a post is found without what was staged, unless the platform lists no texts', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const sent = { draft: draftFor(testAccount), staged: null, handle: newHandle() }
      await publish(testAccount, sent.draft, sent.handle)
      const [seen] = await findVisiblePosts(testAccount, sent.draft.text)
      const expected = testPlatform.listsTexts ? { state: 'published', postId: seen?.id } : { state: 'unknown' }
      await expect.poll(() => find(testAccount, sent), { timeout: 3000 }).toMatchObject(expected)
      const unsent = { ...sent, draft: draftFor(testAccount), handle: newHandle() }
      expect(['absent', 'unknown']).toContain((await find(testAccount, unsent)).state)
    })

    test('a post sent before the window is not ours', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const draft = draftFor(testAccount)
      await publish(testAccount, draft)
      const window = { fromMs: testPlatform.nowMs() + 3_600_000, untilMs: testPlatform.nowMs() + 7_200_000 }
      const sent = { draft: { ...draft, media: [] }, staged: null, handle: newHandle(), window, knownPostIds: new Set<string>() }
      expect((await connector.find?.(testAccount.client, sent))?.state).not.toBe('published')
    })
  })

  describe('strings of the platform', () => {
    test('no NUL and no half surrogate pair comes through', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const { account, credentials } = testAccount.client
      const client = clientFor(
        connector,
        { ...testPlatform, transport: spoilStrings(testPlatform.transport) },
        account,
        credentials,
      )
      const spoiled = { ...testAccount, client }
      const draft = draftFor(testAccount)
      const sent = { draft, staged: null, handle: newHandle() }
      const results = await Promise.all(
        [connector.account(client), publish(spoiled, draft), find(spoiled, sent)].map((result) => result.catch(readError)),
      )
      for (const text of results.flatMap(stringsOf))
        expect([text, text.isWellFormed() && !text.includes('\0')]).toEqual([text, true])
    })
  })
}

const absentByKey = { state: 'absent', proof: 'reference' }

/** Sends a post whose request the platform never takes. */
async function sendAndLose(testAccount: TestAccount, draft: Draft): Promise<SentPost> {
  const sent = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
  await testAccount.testPlatform.failNext(testAccount.client.account.handle, 'submit', { kind: 'drop_before' })
  await expect(send(testAccount, sent)).rejects.toMatchObject({ kind: 'unknown' })
  return sent
}

const spoiledEnd = '\0 \ud83d'

/** Answers as the platform does, but with NUL and half a surrogate pair in every string and header. */
function spoilStrings(transport: Transport): Transport {
  return async (request) => {
    const { status, headers, text } = await transport(request)
    return {
      status,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value + spoiledEnd])),
      text: async (bytesMax) => spoilBody(await text(bytesMax)),
    }
  }
}

function spoilBody(body: string): string {
  if (body === '') return body
  return JSON.stringify(JSON.parse(body, (_, value: unknown) => (typeof value === 'string' ? value + spoiledEnd : value)))
}

function readError(error: unknown) {
  if (!(error instanceof PlatformError)) throw error
  return { message: error.message, platformCode: error.platformCode }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}
