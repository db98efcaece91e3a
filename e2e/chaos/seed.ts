import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountSet } from './accounts.ts'
import type { Api } from './api.ts'
import { drivePost } from './drive-post.ts'
import { fieldsOf, listOf } from './json.ts'
import { makePlan, type Plan } from './plan.ts'
import { isAtRest, readPost, type SeenPost } from './seen-post.ts'
import { note, type Story } from './story.ts'
import { verify, type Findings } from './verify.ts'
import type { Violation } from './violation.ts'
import type { Struck } from './victims.ts'
import { raiseFaults, type Strikes } from './weather.ts'
import type { World } from './world.ts'

/** A seed that has been played; its posts may still be on their way. */
export type Played = {
  plan: Plan
  accounts: AccountSet
  stories: Story[]
  takeBackFaults: () => Promise<Strikes>
  struck: Struck[]
  violations: Violation[]
  beganMs: number
}

export type Finished = Played & { strikes: Strikes; findings: Findings; finishedMs: number }

/** Until what was scheduled latest has been due. */
const playMs = 5500
/** What waited for a part to come back meets the faults too: they stay this long, and on a slow machine until everything has been tried. */
const faultsStayMs = 4000
const faultsStayMsMax = 12_000
/** After this long a post is stuck: the slowest repair, of a send whose run is gone, begins after two minutes. */
const restWithinMs = 180_000

/** Plays a seed's plan: clients, faults and kills together. Ends with every part up; the faults stay for those who were held up. */
export async function playSeed(world: World, seed: number, accounts: AccountSet): Promise<Played> {
  const plan = makePlan(seed, world.killable)
  const stories = plan.posts.map((post): Story => {
    const text = `${textPrefix(seed)}${post.n} rings once`
    return {
      plan: post,
      text,
      comment: post.hasComment ? `${textPrefix(seed)}${post.n} first comment` : null,
      connections: post.slots.map((slot) => accounts.of(slot).slug),
      requestId: null,
      wish: 'publish',
      earliestMs: 0,
      stoppedAtMs: null,
      log: [],
    }
  })
  const takeBackFaults = await raiseFaults(world.simulator, accounts, plan.faults)
  const beganMs = Date.now()
  const drive = { api: world.api, beganMs, keyPrefix: textPrefix(seed) }
  const [violations, struck] = await Promise.all([
    Promise.all(stories.map((story) => drivePost(drive, story))),
    world.victims.strike(plan.kills, beganMs),
    sleep(playMs),
  ])
  return { plan, accounts, stories, takeBackFaults, struck, violations: violations.flat(), beganMs }
}

/** Waits until every post of a played seed is at rest, sends failed ones again where the plan says so, and verifies. */
export async function finishSeed(world: World, played: Played): Promise<Finished> {
  await outlive(world.api, played)
  const strikes = await played.takeBackFaults()
  await rest(world.api, played)
  const retried = await retryFailed(world.api, played)
  if (retried > 0) await rest(world.api, played)
  const findings = await look(world, played, strikes)
  const violations = [...played.violations, ...verify(findings)]
  return { ...played, strikes, findings, violations, finishedMs: Date.now() - played.beganMs }
}

/** What the API and the platforms show of a seed now. */
export async function look(world: World, { plan, accounts, stories }: Played, strikes: Strikes): Promise<Findings> {
  const posts = await listPosts(world.api, plan.seed)
  const shown = await Promise.all(accounts.accounts.map(({ platform, handle }) => world.simulator.postsOf(platform, handle)))
  return { stories, posts, shown: shown.flat(), accounts, strikes }
}

function textPrefix(seed: number): string {
  return `chaos-${seed}-`
}

async function rest(api: Api, { plan }: Played): Promise<void> {
  const endMs = Date.now() + restWithinMs
  // Who is not at rest by then is found by verifying.
  while (Date.now() < endMs) {
    if ((await listPosts(api, plan.seed)).every(isAtRest)) return
    await sleep(500)
  }
}

async function outlive(api: Api, { plan }: Played): Promise<void> {
  const endMs = Date.now() + faultsStayMsMax
  await sleep(faultsStayMs)
  const isTried = (post: SeenPost) => isAtRest(post) || post.channels.every(({ attempts }) => attempts > 0)
  while (Date.now() < endMs && !(await listPosts(api, plan.seed)).every(isTried)) await sleep(500)
}

async function retryFailed(api: Api, { stories, plan, beganMs }: Played): Promise<number> {
  const posts = await listPosts(api, plan.seed)
  const failed = stories.filter(
    ({ plan: { retries }, text }) =>
      retries && posts.some((post) => post.text === text && post.channels.some(({ status }) => status === 'failed')),
  )
  for (const story of failed) {
    const key = `${textPrefix(plan.seed)}${story.plan.n}-retry`
    const { status, code } = await api({ method: 'POST', path: `/content/${story.requestId}/retry`, key })
    note(story, beganMs, `retry: ${status} ${code ?? ''}`)
  }
  return failed.length
}

async function listPosts(api: Api, seed: number): Promise<SeenPost[]> {
  const { data } = await api({ method: 'GET', path: `/content?limit=100&archived=any&search=${textPrefix(seed)}` })
  const page = fieldsOf(data)
  return listOf(page['data'] ?? data).map(readPost)
}
