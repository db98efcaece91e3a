import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createCarillon, type Post } from '@carillon/sdk'
import type { StackInfo } from '@carillon/stack'
import type { PostView } from '@carillon/simulator'
import type { UndeliverableWebhook } from './support/send-undeliverable-webhook.ts'
import type { RealConnections } from './support/connect-real-servers.ts'

type TestStack = StackInfo & { real: RealConnections; undeliverable: UndeliverableWebhook }

/** The stack that the tests run against, as `pnpm e2e` started it. `real` and `undeliverable` are missing in the attack suite. */
export const testStack: TestStack = JSON.parse(readFileSync(process.env['CARILLON_TEST_STACK'] ?? '', 'utf8'))

export const carillon = createCarillon({
  baseUrl: testStack.baseUrl,
  apiKey: testStack.apiKey,
  workspaceId: testStack.workspaceId,
})
export const otherTenant = createCarillon({
  baseUrl: testStack.baseUrl,
  apiKey: testStack.otherApiKey,
  workspaceId: testStack.otherWorkspaceId,
})

export const [bluesky = '', mastodon = '', threads = '', x = ''] = ['bluesky', 'mastodon', 'threads', 'x'].map(
  (platform) => testStack.connections.find((slug) => slug.startsWith(`${platform}-`)) ?? '',
)
export const textConnections = [bluesky, mastodon, threads, x]

/** A text that no other post contains, so that a test can find its own. */
export function uniqueText(what: string): string {
  return `${what} ${randomBytes(6).toString('hex')}`
}

/** The time `ms` milliseconds from now, as an ISO-8601 text. */
export function timeAfter(ms: number): string {
  return new Date(Date.now() + ms).toISOString()
}

/** Waits until every channel of a post has ended, and returns the post. */
export async function waitUntilFinished(id: string, timeoutMs = 45_000): Promise<Post> {
  await carillon.content.waitUntilFinished(id, { timeoutMs })
  return carillon.content.get(id)
}

/** The posts with this text that the simulated platforms have. */
export async function findPlatformPosts(text: string, simulatorUrl = testStack.simulatorUrl): Promise<PostView[]> {
  const response = await fetch(`${simulatorUrl}/_control/posts?text=${encodeURIComponent(text)}`)
  return (await response.json()) as PostView[]
}

/** The answer to a request without content has an empty id. */
export async function callSimulator<Answer = { id: string }>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${testStack.simulatorUrl}/_control/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!response.ok) throw new Error(`simulator: ${response.status} ${await response.text()}`)
  return (response.status === 204 ? { id: '' } : await response.json()) as Answer
}

/** How long each text is for the platform itself. */
export async function countOnPlatform(platform: string, texts: readonly string[]): Promise<number[]> {
  return (await callSimulator<{ counts: number[] }>('POST', 'count', { platform, texts })).counts
}
