import { expect, test } from 'vitest'
import { call, type Reply } from '../support/call.ts'
import type { CreatedPost } from '../support/posts.ts'
import { queryDatabase } from '../support/query-database.ts'
import { startSecondServer } from '../support/second-server.ts'
import { connectAccountsTo, createPerson } from '../support/server-env.ts'
import { findSubmits } from '../support/find-submits.ts'
import { uniqueText } from '../test-stack.ts'

/** Guarantee T36: a service that is asked for more than it takes refuses the rest, and does everything that it accepted. */

const limit = 200
const requests = 10 * limit
const parallel = 200

test(
  'guarantee: of ten times too many creates, each is refused with 429 or 503, or published once',
  { timeout: 300_000 },
  async () => {
    const { apiKey, workspaceId } = await createPerson(`${uniqueText('overload').replace(' ', '-')}@example.com`)
    const [account] = await connectAccountsTo(workspaceId, uniqueText('overload').replace(' ', '-'), ['mastodon'])
    await using server = await startSecondServer({ CARILLON_REQUESTS_PER_MINUTE: String(limit) })
    const prefix = uniqueText('overload')
    const options = { key: apiKey, workspace: workspaceId, baseUrl: server.baseUrl }
    const replies: { text: string; reply: Reply<CreatedPost> }[] = []
    const texts = Array.from({ length: requests }, (_, n) => `${prefix}-${n}.`).values()
    const send = async () => {
      for (const text of texts) {
        const reply = await call<CreatedPost>('POST /content/text', { ...options, body: { connections: [account?.slug], text } })
        replies.push({ text, reply })
      }
    }
    await Promise.all(Array.from({ length: parallel }, send))

    const accepted = replies.filter(({ reply }) => reply.status === 201)
    const refused = replies.filter(({ reply }) => reply.status !== 201)
    expect(accepted.length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    for (const { reply } of refused) {
      expect([429, 503]).toContain(reply.status)
      expect(reply.error.retryable).toBe(true)
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    // Nothing is stored for a refused request, and everything that was accepted is.
    const stored = await queryDatabase<{ text: string }>('select text from post where workspace_id = $1', [workspaceId])
    expect(stored.map(({ text }) => text).toSorted()).toEqual(accepted.map(({ text }) => text).toSorted())
    const unfinished = async () =>
      (await queryDatabase(`select 1 from post where workspace_id = $1 and status <> 'completed'`, [workspaceId])).length
    await expect.poll(unfinished, { timeout: 180_000, interval: 1000 }).toBe(0)
    for (const { text } of accepted) expect([text, (await findSubmits(text)).asked]).toEqual([text, 1])
    // It recovers by itself: another caller is served at once, and this one when its minute is over.
    const again = async () => (await call('GET /content', options)).status
    await expect.poll(again, { timeout: 75_000, interval: 1000 }).toBe(200)
  },
)
