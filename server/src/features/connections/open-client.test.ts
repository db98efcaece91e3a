import type { Connector, Outcome } from '@carillon/connectors'
import { connectors } from '@carillon/connectors'
import { describe, expect, test } from 'vitest'
import { withSimulatedUrls } from './open-client.ts'

/** A link to a simulated post must not lead to a foreign post on the real platform. */
describe('addresses of simulated posts', () => {
  const call = async (postUrl: string | null, origin: string) => {
    const outcome: Outcome = { state: 'published', postId: '1', postUrl }
    const connector: Connector = {
      ...connectors.x,
      submit: async () => outcome,
      check: async () => outcome,
      find: async () => outcome,
    }
    const { submit, check, find } = withSimulatedUrls(connector, origin)
    const args = [{}, {}, {}, {}] as unknown as Parameters<typeof submit>
    const all = [await submit(...args), await check?.(args[0], ''), await find?.(args[0], {} as never)]
    return new Set(all.map((each) => each?.state === 'published' && each.postUrl))
  }

  test.each([
    ['https://x.com/alice/status/12', 'http://sim:4010/x', 'http://sim:4010/x/alice/status/12'],
    [
      'https://bsky.app/profile/did:plc:a/post/3k',
      'http://sim:4010/bluesky',
      'http://sim:4010/bluesky/profile/did:plc:a/post/3k',
    ],
    [
      'https://www.linkedin.com/feed/update/urn:li:share:1/',
      'http://sim/linkedin',
      'http://sim/linkedin/feed/update/urn:li:share:1/',
    ],
    // The simulator returned this one itself, at the address for browsers.
    ['http://localhost:4010/threads/@alice/post/Cx', 'http://sim:4010/threads', 'http://localhost:4010/threads/@alice/post/Cx'],
    [null, 'http://sim:4010/x', null],
    ['no address', 'http://sim:4010/x', 'no address'],
  ])('%s at %s is %s', async (postUrl, origin, expected) => {
    expect(await call(postUrl, origin)).toEqual(new Set([expected]))
  })

  test('what is not published stays as it is', async () => {
    const processing: Outcome = { state: 'processing', reference: 'r', checkAfterMs: 1 }
    const { submit } = withSimulatedUrls({ ...connectors.x, submit: async () => processing }, 'http://sim/x')
    expect(await submit(...([{}, {}, {}, {}] as unknown as Parameters<typeof submit>))).toBe(processing)
  })
})
