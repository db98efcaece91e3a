import type { ContentFormat } from '@carillon/contract'
import { randomUUID } from 'node:crypto'
import { Value } from 'typebox/value'
import type { Credentials } from '../auth.ts'
import type { Client, Connector, Draft, Found, Handle, Media, Outcome, Staged } from '../connector.ts'
import { createHttp } from '../create-http.ts'
import { PlatformError } from '../platform-error.ts'
import type { TestPlatform } from './test-platform.ts'

const timeoutMs = 700
const uploadTimeoutMs = 3000
const attemptsMax = 12
const waitMs = 1000

/** One account with its own token for each test, so that tests do not share rate limits or posts. */
export type TestAccount = { client: Client; connector: Connector; testPlatform: TestPlatform }

export type SentPost = { draft: Draft; staged: Staged; handle: Handle }

export async function openTestAccount(
  connector: Connector,
  testPlatform: TestPlatform,
  handle = `user-${randomUUID().slice(0, 8)}`,
): Promise<TestAccount> {
  const { account, credentials } = await testPlatform.connect(handle)
  return { client: clientFor(connector, testPlatform, account, credentials), connector, testPlatform }
}

export function clientFor(
  connector: Connector,
  testPlatform: TestPlatform,
  account: Client['account'],
  credentials: Credentials,
): Client {
  const { classify, attach } = connector
  const http = createHttp({
    // Uploads have a timeout of minutes. Tests with lost answers must not wait that long.
    transport: (request) => testPlatform.transport({ ...request, timeoutMs: Math.min(request.timeoutMs, uploadTimeoutMs) }),
    origin: testPlatform.origin(),
    credentials,
    classify,
    attach,
    nowMs: testPlatform.nowMs,
    wait: testPlatform.wait,
    timeoutMs,
  })
  return { http, account, credentials }
}

/** The simplest post the platform accepts: text alone if it allows that, otherwise the first format of the manifest. */
export function draftFor(
  { connector, testPlatform }: Pick<TestAccount, 'connector' | 'testPlatform'>,
  draft: Partial<Draft> = {},
): Draft {
  const { manifest, settings } = connector
  const { format = draft.replyTo || manifest.text.alone ? 'text' : (manifest.formats[0] ?? 'text') } = draft
  return {
    format,
    text: newText(),
    title: null,
    linkUrl: null,
    media: mediaOf(testPlatform, format),
    settings: { ...Object(Value.Default(settings, {})), ...testPlatform.settings },
    replyTo: null,
    ...draft,
  }
}

function mediaOf(testPlatform: TestPlatform, format: ContentFormat): Media[] {
  if (format === 'text') return []
  if (format === 'video' || format === 'short_video') return [mediaFor(testPlatform, 'video', '')]
  return [mediaFor(testPlatform, format === 'document' ? 'document' : 'image', '')]
}

export function newText(): string {
  return `Bells of ${randomUUID()}`
}

/** As for a post that was scheduled two weeks ago: the handle's time says nothing about the send. */
export function newHandle(): Handle {
  return { key: randomUUID(), atMs: Date.now() - 14 * 86_400_000 }
}

export function mediaFor({ files }: TestPlatform, kind: Media['kind'], alt: string): Media {
  const file = files[kind]
  const { bytes, mimeType } = file
  return {
    kind,
    name: `bell.${mimeType.split('/')[1]}`,
    mimeType,
    sizeBytes: bytes.length,
    width: 640,
    height: 640,
    durationSeconds: kind === 'video' ? 4 : null,
    alt,
    read: async () => bytes,
    stream: async (fromByte = 0) => new Blob([new Uint8Array(bytes.subarray(fromByte))]).stream(),
    url: async () => file.url(),
  }
}

export async function stage({ client, connector }: TestAccount, draft: Draft): Promise<Staged> {
  if (!connector.needsStage(draft) || !connector.stage) return null
  // The server stores the staged data as JSON, so the tests pass it through JSON too.
  return JSON.parse(JSON.stringify(await connector.stage(client, draft)))
}

/** Stages, submits and waits as the server does. */
export async function publish(testAccount: TestAccount, draft: Draft, handle = newHandle()): Promise<Outcome> {
  return waitUntilSettled(testAccount, await send(testAccount, { draft, staged: await stage(testAccount, draft), handle }))
}

/** Submits, and tries again after the named wait while the platform is still processing something. */
export async function send(testAccount: TestAccount, { draft, staged, handle }: SentPost): Promise<Outcome> {
  const { client, connector } = testAccount
  for (let attempt = 0; ; attempt++) {
    try {
      return await connector.submit(client, draft, staged, handle)
    } catch (error) {
      await waitAsNamed(testAccount, error, attempt)
    }
  }
}

/** Waits for as long as the error says. Throws it if it does not say that trying again helps. */
async function waitAsNamed({ testPlatform }: TestAccount, error: unknown, attempt: number): Promise<void> {
  if (!(error instanceof PlatformError) || attempt === attemptsMax) throw error
  if (error.kind !== 'unavailable' && !error.isTemporary) throw error
  await testPlatform.wait(error.retryAfterMs ?? error.waitsMs?.[attempt] ?? error.waitsMs?.at(-1) ?? waitMs)
}

/** Asks what became of a send, as the server does: without media, about the last minute. */
export async function find(
  { client, connector, testPlatform }: TestAccount,
  { draft, staged, handle }: SentPost,
  knownPostIds: readonly string[] = [],
): Promise<Found> {
  const window = { fromMs: testPlatform.nowMs() - 60_000, untilMs: testPlatform.nowMs() }
  const sent = { draft: { ...draft, media: [] }, staged, handle, window, knownPostIds: new Set(knownPostIds) }
  return (await connector.find?.(client, sent)) ?? { state: 'unknown' }
}

/** Checks a post that the platform has accepted until it is no longer processing. */
export async function waitUntilSettled<State extends Found>(
  { client, connector, testPlatform }: TestAccount,
  first: State,
): Promise<State | Outcome> {
  let outcome: State | Outcome = first
  for (let attempt = 0; outcome.state === 'processing' && attempt < attemptsMax; attempt++) {
    if (!connector.check) throw new Error('A post is processing, but the connector has no check().')
    await testPlatform.wait(outcome.checkAfterMs)
    outcome = await connector.check(client, outcome.reference)
  }
  return outcome
}

export async function publishAndGetId(testAccount: TestAccount, draft: Draft): Promise<string> {
  const outcome = await publish(testAccount, draft)
  if (outcome.state !== 'published') throw new Error(`The post is ${outcome.state}.`)
  return outcome.postId
}

export async function findVisiblePosts({ client, testPlatform }: TestAccount, text: string) {
  return (await testPlatform.posts(client.account.handle)).filter((post) => post.text === text)
}
