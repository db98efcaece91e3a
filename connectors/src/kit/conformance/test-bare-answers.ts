import type { ContentFormat } from '@carillon/contract'
import { describe, expect, test } from 'vitest'
import type { Connector, Draft, Found } from '../connector.ts'
import { PlatformError } from '../platform-error.ts'
import { addFields, changeAnswer, type ChangedAnswer } from './change-answer.ts'
import {
  clientFor,
  draftFor,
  find,
  mediaFor,
  newHandle,
  openTestAccount,
  publishAndGetId,
  send,
  type SentPost,
  stage,
  type TestAccount,
  waitUntilSettled,
} from './test-account.ts'
import type { TestPlatform } from './test-platform.ts'

type Kind = ContentFormat | 'comment'
type Answer = (body: string) => string

const bare: Readonly<Record<string, Answer>> = { 'an empty body': () => '', 'an empty object': () => '{}' }
const page: Answer = () => '<!doctype html><title>Please sign in to the network</title>'
const timeout = 60_000
/** How often a platform is asked whose lists do not have the post. */
const roundsMax = 3

/**
 * Guarantee: whatever a platform says that carried a call out, no result is invented and the call is not made again. The documentation of most
 * calls promises no body, or not these fields alone, so every call of every connector is answered in each of these ways.
 */
export function testBareAnswers(connector: Connector, testPlatform: TestPlatform): void {
  const { manifest } = connector
  const kinds: Kind[] = [...manifest.formats, ...(manifest.can.firstComment ? (['comment'] as const) : [])]
  const withEach = (kind: Kind) => Object.entries(bare).map(([name, answer]) => ({ name, answer, kind }))
  const removals = Object.entries({ ...bare, 'a page for people': page }).map(([name, answer]) => ({ name, answer }))

  describe('answers that say less', () => {
    test.for(kinds.flatMap(withEach))('$kind: $name is no success of its own', { timeout }, async ({ answer, kind }) => {
      expect(await forEachCall({ connector, testPlatform }, answer, (opened) => judgeSend(opened, kind))).toEqual([])
    })

    test.for(withEach('text'))('$name is no other account', { timeout }, async ({ answer }) => {
      expect(await forEachCall({ connector, testPlatform }, answer, judgeAccount)).toEqual([])
    })

    test.runIf('find' in connector).for(withEach('text'))(
      '$name says of no post that it is absent',
      { timeout },
      async (each) => {
        expect(await forEachCall({ connector, testPlatform }, each.answer, judgeFind)).toEqual([])
      },
    )

    test.runIf(manifest.can.metrics).for(withEach('text'))('$name contains no figures', { timeout }, async ({ answer }) => {
      expect(await forEachCall({ connector, testPlatform }, answer, judgeMetrics)).toEqual([])
    })

    test.runIf(manifest.can.remove).for(removals)('$name to a deletion', { timeout }, async ({ answer }) => {
      expect(await forEachCall({ connector, testPlatform }, answer, (opened) => judgeRemoval(opened, answer === page))).toEqual(
        [],
      )
    })
  })

  describe('answers that say more', () => {
    test.for(kinds.map((kind) => ({ kind })))('$kind: new fields make no difference', { timeout }, async ({ kind }) => {
      const { plain, changed } = await open({ connector, testPlatform }, 'all', addFields)
      const draft = await draftOf(plain, kind)
      const before = await visibleIds(plain)
      const sent = { draft, staged: await stage(changed, draft), handle: newHandle() }
      const first = await send(changed, sent)
      const outcome = await waitUntilSettled(changed, first)
      const visible = [...(await newIds(plain, before)), ...referenceOf(first)]
      expect({ outcome, visible, isTrue: isPublishedAs(outcome, visible) }).toMatchObject({ isTrue: true })
      expect(await find(changed, sent)).toEqual(await find(plain, sent))
    })

    test('of the account, the figures and a deletion', { timeout }, async () => {
      const { plain, changed } = await open({ connector, testPlatform }, 'all', addFields)
      const postId = await publishAndGetId(plain, draftFor(plain))
      await countUp(plain)
      expect(await connector.account(changed.client)).toEqual(await connector.account(plain.client))
      expect(await connector.capabilities?.read(changed.client)).toEqual(await connector.capabilities?.read(plain.client))
      expect(await connector.metrics?.(changed.client, [postId])).toEqual(await connector.metrics?.(plain.client, [postId]))
      await connector.remove?.(changed.client, postId)
      expect((await visibleIds(plain)).length).toBe(connector.remove ? 0 : 1)
    })
  })
}

/** An account, and the same one seen through a transport that changes answers. */
type Opened = { plain: TestAccount; changed: TestAccount; change: ChangedAnswer }
type Subject = { connector: Connector; testPlatform: TestPlatform }

async function open({ connector, testPlatform }: Subject, which: number | 'all', answer: Answer): Promise<Opened> {
  const plain = await openTestAccount(connector, testPlatform)
  const change = changeAnswer(testPlatform.transport, which, answer)
  const { account, credentials } = plain.client
  const client = clientFor(connector, { ...testPlatform, transport: change.transport }, account, credentials)
  return { plain, changed: { ...plain, client }, change }
}

/** Runs a scenario once for each call that it makes, with the answer to that call changed, and returns what went wrong. */
async function forEachCall(
  subject: Subject,
  answer: Answer,
  judge: (opened: Opened) => Promise<string | null>,
): Promise<string[]> {
  const problems: string[] = []
  for (let call = 1; ; call++) {
    const opened = await open(subject, call, answer)
    const problem = await judge(opened)
    const changed = opened.change.changed()
    if (changed === null) return problems
    if (problem !== null) problems.push(`${changed}: ${problem}`)
  }
}

async function judgeSend({ plain, changed, change }: Opened, kind: Kind): Promise<string | null> {
  const draft = await draftOf(plain, kind)
  const before = await visibleIds(plain)
  const sent: SentPost = { draft, staged: null, handle: newHandle() }
  try {
    sent.staged = await stage(changed, draft)
  } catch (error) {
    return refusalIn(error)
  }
  const isStaged = change.changed() !== null
  const outcome = await send(changed, sent).catch(errorOf)
  // The files of one post may be equal, and so are the calls that upload them.
  if (!isStaged && change.isRepeated()) return 'called again'
  if (outcome instanceof PlatformError) return judgeLoss({ plain, sent, before }, outcome)
  // A question about the state of a post is asked again.
  const ended = await waitUntilSettled(changed, outcome).catch(async (error: unknown) => {
    return refusalIn(error) ?? waitUntilSettled(plain, outcome)
  })
  const visible = await newIds(plain, before)
  if (visible.length > 1) return describeEnd(ended, visible)
  return isPublishedAs(ended, [...visible, ...referenceOf(outcome)]) ? null : describeEnd(ended, visible)
}

type Lost = { plain: TestAccount; sent: SentPost; before: readonly string[] }

/** A send that ended with an error: it is found, or stays unknown, and is there once at most. */
async function judgeLoss({ plain, sent, before }: Lost, error: PlatformError): Promise<string | null> {
  const refusal = refusalIn(error)
  const visible = await newIds(plain, before)
  if (refusal !== null || (error.kind !== 'unknown' && visible.length > 0)) return refusal ?? describeEnd(error.kind, visible)
  const recovered = await recover(plain, sent)
  const after = await newIds(plain, before)
  const isUnknown = recovered.state === 'unknown' || recovered.state === 'unidentified'
  const isTrue = isUnknown || isPublishedAs(recovered, after)
  return isTrue && after.length <= 1 ? null : describeEnd(recovered, after)
}

/** As the server does: what may be repeated is sent again, and so is what the platform itself says it has not. */
async function recover(testAccount: TestAccount, sent: SentPost) {
  const again = async () => waitUntilSettled(testAccount, await send(testAccount, sent))
  if (testAccount.connector.manifest.handle === 'key') return again()
  for (let round = 0; ; round++) {
    const found = await waitUntilSettled(testAccount, await find(testAccount, sent))
    if (found.state !== 'absent' || round === roundsMax) return found
    if (found.proof === 'reference') return again()
    await testAccount.testPlatform.wait(2_000)
  }
}

async function judgeAccount({ plain, changed }: Opened): Promise<string | null> {
  const { connector } = plain
  const { id, handle } = await connector.account(plain.client)
  const read = await connector.account(changed.client).catch(errorOf)
  if (read instanceof PlatformError) return refusalIn(read)
  return read.id === id && read.handle === handle ? null : JSON.stringify(read)
}

async function judgeFind({ plain, changed }: Opened): Promise<string | null> {
  const draft = draftFor(plain)
  const sent: SentPost = { draft, staged: await stage(plain, draft), handle: newHandle() }
  const published = await waitUntilSettled(plain, await send(plain, sent))
  const found = await find(changed, sent).catch(errorOf)
  if (found instanceof PlatformError) return refusalIn(found)
  if (found.state === 'absent') return JSON.stringify(found)
  return found.state !== 'published' || isPublishedAs(published, [found.postId]) ? null : JSON.stringify(found)
}

async function judgeMetrics({ plain, changed }: Opened): Promise<string | null> {
  const { connector } = plain
  const postId = await publishAndGetId(plain, draftFor(plain))
  await countUp(plain)
  const all = (await connector.metrics?.(plain.client, [postId]))?.get(postId)
  const read = await Promise.resolve(connector.metrics?.(changed.client, [postId])).catch(errorOf)
  if (read instanceof PlatformError) return refusalIn(read)
  const invented = Object.entries(read?.get(postId) ?? {}).filter(([name, count]) => all?.[name as keyof typeof all] !== count)
  return invented.length === 0 ? null : JSON.stringify(Object.fromEntries(invented))
}

/** A deletion is confirmed by the status, but not by a page of something else. */
async function judgeRemoval({ plain, changed, change }: Opened, isForeign: boolean): Promise<string | null> {
  const { connector } = plain
  const postId = await publishAndGetId(plain, draftFor(plain))
  const ended = await Promise.resolve(connector.remove?.(changed.client, postId)).catch(errorOf)
  if (change.isRepeated()) return 'called again'
  if (ended instanceof PlatformError) return refusalIn(ended)
  return isForeign ? 'a page was taken for its answer' : (await visibleIds(plain)).length > 0 ? 'still visible' : null
}

async function draftOf(testAccount: TestAccount, kind: Kind): Promise<Draft> {
  const { testPlatform } = testAccount
  if (kind === 'comment') {
    const replyTo = { postId: await publishAndGetId(testAccount, draftFor(testAccount)) }
    await testPlatform.wait(10_000)
    return draftFor(testAccount, { replyTo })
  }
  const images = [1, 2].map(() => mediaFor(testPlatform, 'image', ''))
  return draftFor(testAccount, { format: kind, ...(kind === 'photo_carousel' && { media: images }) })
}

async function visibleIds({ client, testPlatform }: TestAccount): Promise<string[]> {
  return (await testPlatform.posts(client.account.handle)).filter(({ deleted }) => !deleted).map(({ id }) => id)
}

async function newIds(testAccount: TestAccount, before: readonly string[]): Promise<string[]> {
  return (await visibleIds(testAccount)).filter((id) => !before.includes(id))
}

/** Some ids of ours contain that of the platform and more. */
function isPublishedAs(outcome: Found | string, ids: readonly string[]): boolean {
  if (typeof outcome === 'string' || outcome.state !== 'published' || outcome.postId === '') return false
  const { postId } = outcome
  return ids.some((id) => postId.includes(id) || id.includes(postId))
}

/** A post that has no id yet, or none for us, is named as the platform named the request for it. */
function referenceOf(outcome: Found): string[] {
  return outcome.state === 'processing' ? [outcome.reference] : []
}

async function countUp({ client, testPlatform }: TestAccount): Promise<void> {
  const [post] = await testPlatform.posts(client.account.handle)
  if (post) await testPlatform.count(post.id)
}

function errorOf(error: unknown): PlatformError {
  if (!(error instanceof PlatformError)) throw error
  return error
}

/** Null for an error after which the call, or a question about it, is made again. */
function refusalIn(error: unknown): string | null {
  const { kind, isTemporary, message } = errorOf(error)
  return kind === 'unknown' || kind === 'unavailable' || isTemporary ? null : `${kind}: ${message}`
}

function describeEnd(ended: unknown, visible: readonly string[]): string {
  return `${JSON.stringify(ended)}, and the platform has ${visible.join(', ') || 'nothing'}`
}
