import type { HandleKind } from '@carillon/contract'
import { describe, expect, test } from 'vitest'
import type { Connector, Draft, Found } from '../connector.ts'
import { PlatformError } from '../platform-error.ts'
import {
  type TestAccount,
  draftFor,
  find,
  newHandle,
  openTestAccount,
  publishAndGetId,
  findVisiblePosts,
  send,
  type SentPost,
  waitUntilSettled,
  stage,
} from './test-account.ts'
import type { Fault, TestPlatform } from './test-platform.ts'

type Case = { name: string; fault: Fault; isCommitted: boolean }

const cases: Case[] = [
  { name: 'the connection drops before the platform publishes', fault: { kind: 'drop_before' }, isCommitted: false },
  { name: 'the connection drops after the platform published', fault: { kind: 'drop_after' }, isCommitted: true },
  { name: 'a 503 after the platform published', fault: { kind: 'status', status: 503, commit: true }, isCommitted: true },
  { name: 'a body that arrives too slowly', fault: { kind: 'slow_body', bytesPerSecond: 10 }, isCommitted: true },
  { name: 'a body too large to read', fault: { kind: 'huge_body', bytes: 8_000_000 }, isCommitted: true },
  { name: 'an unreadable 200, nothing published', fault: { kind: 'garbage' }, isCommitted: false },
  { name: 'an unreadable 200, post published', fault: { kind: 'garbage', commit: true }, isCommitted: true },
]

/** Guarantee: a lost answer is `unknown`, and recovery by the declared handle never makes a second post. */
export function testLostAnswers(connector: Connector, testPlatform: TestPlatform): void {
  const { manifest } = connector

  describe('lost answers', () => {
    test.for(cases)('$name', async ({ fault, isCommitted }) => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const lost = await loseAnswerAndRecover(testAccount, draftFor(testAccount), fault)
      const found = expectedFound(manifest.handle, isCommitted)
      // A post stays unsent only where the platform itself cannot tell whether it was published.
      const isSentAgain = !isCommitted && (manifest.handle === 'key' || manifest.handle === 'reference')
      const seenAfter = isCommitted || isSentAgain ? 1 : 0
      expect(lost).toMatchObject({ kind: 'unknown', seenBefore: isCommitted ? 1 : 0, found, seenAfter })
    })

    test.runIf(manifest.can.firstComment)('a first comment is recovered like a post', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const replyTo = { postId: await publishAndGetId(testAccount, draftFor(testAccount)) }
      // The fault must hit a call that the platform carries out: on some, a post cannot be replied to at once.
      await testPlatform.wait(10_000)
      const lost = await loseAnswerAndRecover(testAccount, draftFor(testAccount, { replyTo }), { kind: 'drop_after' })
      expect(lost).toMatchObject({
        kind: 'unknown',
        seenBefore: 1,
        found: expectedFound(manifest.handle, true),
        seenAfter: 1,
      })
    })
  })
}

async function loseAnswerAndRecover(testAccount: TestAccount, draft: Draft, fault: Fault) {
  const { client, testPlatform } = testAccount
  const sent: SentPost = { draft, staged: await stage(testAccount, draft), handle: newHandle() }
  await testPlatform.failNext(client.account.handle, 'submit', fault)
  const kind = await send(testAccount, sent).then(
    () => 'no error',
    (error: unknown) => (error instanceof PlatformError ? error.kind : error),
  )
  const seenBefore = (await findVisiblePosts(testAccount, draft.text)).length
  const found = await recover(testAccount, sent)
  return { kind, seenBefore, found, seenAfter: (await findVisiblePosts(testAccount, draft.text)).length }
}

/** Recovers as the server does. It sends again only if the platform itself says that nothing was published. */
async function recover(testAccount: TestAccount, sent: SentPost): Promise<Found> {
  if (testAccount.connector.manifest.handle === 'key') return waitUntilSettled(testAccount, await send(testAccount, sent))
  const found = await waitUntilSettled(testAccount, await find(testAccount, sent))
  if (found.state === 'absent' && found.proof === 'reference') await waitUntilSettled(testAccount, await send(testAccount, sent))
  return found
}

function expectedFound(handle: HandleKind, isCommitted: boolean): Partial<Found> {
  if (handle === 'none') return { state: 'unknown' }
  if (isCommitted || handle === 'key') return { state: 'published' }
  return { state: 'absent', proof: handle === 'reference' ? 'reference' : 'listing' }
}
