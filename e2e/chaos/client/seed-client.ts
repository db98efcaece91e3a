import { setTimeout as sleep } from 'node:timers/promises'
import type { ChaosStack } from '../stack/start-chaos-stack.ts'
import { isPublished } from '../judge/findings.ts'
import type { ConnectionFacts } from '../judge/judge-events.ts'
import { isAtRest, parsePost, type ApiPost } from './api-post.ts'
import { connectAgain } from './connect-again.ts'
import { describeAnswer } from './drive-post.ts'
import { addLogLine, postOf, type ExpectedPost } from './expected-post.ts'
import { fieldsOf, listOf } from './json.ts'
import type { AccountSet } from '../stack/open-account-sets.ts'

export function textPrefix(seed: number): string {
  return `chaos-${seed}-`
}

/** All posts of a seed, of both workspaces. */
export async function listPosts({ apis }: ChaosStack, seed: number): Promise<ApiPost[]> {
  const pages = await Promise.all(
    Object.values(apis).map((api) => api({ method: 'GET', path: `/content?limit=100&archived=any&search=${textPrefix(seed)}` })),
  )
  return pages.flatMap(({ data }) => listOf(fieldsOf(data)['data'] ?? data).map(parsePost))
}

type SeedPosts = { seed: number; expectedPosts: readonly ExpectedPost[]; accounts: AccountSet; beganMs: number }

const pauseMsMin = 1000
const pauseMsMax = 10_000

/** Waits until no post of a seed changes any more. Meanwhile accounts are connected again that the service asks for. */
export async function waitUntilAtRest(
  stack: ChaosStack,
  { seed, accounts }: SeedPosts,
  { facts, withinMs }: { facts: Map<string, ConnectionFacts>; withinMs: number },
): Promise<void> {
  const beganMs = Date.now()
  const endMs = beganMs + withinMs
  // A post that still changes after that is reported by the judge.
  while (Date.now() < endMs) {
    const isDone = (await listPosts(stack, seed)).every(isAtRest)
    const asked = await reconnectAsked(stack, accounts, facts)
    if (isDone && asked === 0) return
    // Posts that stay in doubt for many minutes need no question every second.
    await sleep(Math.min(pauseMsMax, Math.max(pauseMsMin, (Date.now() - beganMs) / 60)))
  }
}

async function reconnectAsked(stack: ChaosStack, accounts: AccountSet, facts: Map<string, ConnectionFacts>): Promise<number> {
  let asked = 0
  for (const workspace of ['eager', 'careful'] as const) {
    const path = `/workspaces/${stack.workspaceIds[workspace]}/connections`
    const { data } = await stack.apis[workspace]({ method: 'GET', path })
    for (const row of listOf(data).map(fieldsOf)) {
      const account = accounts.accounts.find(({ id }) => id === row['id'])
      if (!account) continue
      const fact = facts.get(account.id) ?? { id: account.id, slug: account.slug, reconnects: 0, wasSeen: false }
      facts.set(account.id, fact)
      if (row['status'] !== 'needs_reconnect') continue
      fact.wasSeen = true
      asked++
      try {
        await connectAgain(stack, account, { isNew: false })
        fact.reconnects++
      } catch (error) {
        // The judge reports the channels that wait for it.
        console.log(`${account.slug} could not be connected again: ${String(error)}`)
      }
    }
  }
  return asked
}

/** Retries the failed channels of posts whose clients do that. Gives the number of posts. */
export async function retryFailed(stack: ChaosStack, { seed, expectedPosts, beganMs }: SeedPosts): Promise<number> {
  const posts = await listPosts(stack, seed)
  const failed = expectedPosts.filter(
    (expected) => expected.plan.retries && postOf(expected, posts)?.channels.some(({ status }) => status === 'failed'),
  )
  for (const expected of failed) {
    const key = `${textPrefix(seed)}${expected.plan.n}-retry-${expected.requests.retry}`
    const answer = await stack.apis[expected.workspace]({ method: 'POST', path: `/content/${expected.requestId}/retry`, key })
    expected.requests.retry++
    addLogLine(expected, beganMs, `retry: ${describeAnswer(answer)}`)
  }
  return failed.length
}

/** Does what a person does with an unconfirmed channel: looks at the platform, and says what is there. Gives the number of channels. */
export async function resolveUnconfirmed(
  stack: ChaosStack,
  { seed, expectedPosts, accounts, beganMs }: SeedPosts,
): Promise<number> {
  const posts = await listPosts(stack, seed)
  const submits = await stack.simulator.submits(textPrefix(seed))
  let count = 0
  for (const expected of expectedPosts.filter(({ plan }) => plan.resolves)) {
    const post = postOf(expected, posts)
    for (const channel of post?.channels.filter(({ status }) => status === 'unconfirmed') ?? []) {
      const slot = expected.plan.slots[expected.connections.indexOf(channel.connection)]
      if (!slot) continue
      const { platform, handle } = accounts.of(slot)
      const at = Math.max(
        0,
        channel.parts.findIndex(({ status }) => status === 'unconfirmed'),
      )
      const text = [expected.text, ...expected.thread][at]
      const isThere = submits.some(
        (submit) =>
          submit.platform === platform &&
          submit.account === handle &&
          submit.text === text &&
          (submit.replyTo === null) === (at === 0) &&
          isPublished(submit),
      )
      const answer = await stack.apis[expected.workspace]({
        method: 'POST',
        path: `/content/${expected.requestId}/channels/${channel.id}/resolve`,
        body: { outcome: isThere ? 'published' : 'not_published' },
        key: `${textPrefix(seed)}${channel.id}-resolve-${at}`,
      })
      expected.requests.resolve++
      addLogLine(
        expected,
        beganMs,
        `resolve ${channel.connection} as ${isThere ? 'published' : 'not published'}: ${describeAnswer(answer)}`,
      )
      count++
    }
  }
  return count
}
