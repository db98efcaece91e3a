import { setTimeout as sleep } from 'node:timers/promises'
import { dueAfter } from '../burst/burst-context.ts'
import { logProgress } from '../log-progress.ts'
import { summarize, type Summary } from '../stats.ts'
import type { BenchStack } from '../setup/bench-stack.ts'
import { connectTo, noAccounts, type ConnectedAccount, type ConnectedByPlatform } from '../setup/connect-accounts.ts'
import { seedPosts } from '../setup/seed-posts.ts'
import type { Platform } from '../setup/simulator.ts'
import { waitEngineIdle } from '../setup/wait-engine-idle.ts'
import { waitSettled } from '../setup/wait-settled.ts'

/** X limits a whole app to 10,000 posts a day and Threads needs calls ahead of the due time, so the crowd uses the two others. */
const crowdPlatforms = ['bluesky', 'mastodon'] as const
/** In all rounds together. Mastodon allows one account 300 posts in three hours. */
const postsPerAccountMax = 250
const settleWithinMs = 300_000
const engineIdleWithinMs = 90_000

type Tenant = { workspaceId: string; platform: Platform; account: ConnectedAccount }

export type CrowdSetup = {
  crowd: ConnectedByPlatform
  /** Channels of the crowd: the same number on each of its platforms. */
  crowdPosts: number
  tenants: Tenant[]
  leadMs: number
}

/** Connects the accounts of the crowd to the stack's workspace, and makes the other workspaces with one account each. */
export async function setUpCrowd(
  { stack, simulator }: BenchStack,
  { channels, rounds, workspaces, leadMs }: { channels: number; rounds: number; workspaces: number; leadMs: number },
): Promise<CrowdSetup> {
  const crowd = noAccounts()
  const crowdPosts = Math.ceil(channels / crowdPlatforms.length)
  const count = Math.ceil((crowdPosts * rounds) / postsPerAccountMax)
  for (const platform of crowdPlatforms) {
    crowd[platform] = await connectTo(stack, simulator, {
      workspaceId: stack.info.workspaceId,
      platform,
      handle: 'crowd',
      count,
    })
  }
  const tenants: Tenant[] = []
  for (let n = 0; n < workspaces; n++) {
    const platform = crowdPlatforms[n % crowdPlatforms.length] ?? 'bluesky'
    const made = await stack.run(['setup', '--json', '--workspace', `Other ${n}`, '--email', `other-${n}@example.com`])
    const { workspaceId } = made as { workspaceId: string }
    const [account] = await connectTo(stack, simulator, { workspaceId, platform, handle: `other-${n}`, count: 1 })
    if (!account) throw new Error('no account was connected')
    tenants.push({ workspaceId, platform, account })
  }
  return { crowd, crowdPosts, tenants, leadMs }
}

export type CrowdRound = {
  hasCrowd: boolean
  /** How late each of the other workspaces' channels reached its platform. */
  othersLateMs: number[]
  /** Other workspaces' channels that did not reach their platform. */
  othersMissing: number
  crowd: Summary | null
  crowdMissing: number
  early: number
  left: number
  engineLeftOpen: number
}

/** One channel of each other workspace is due in the same second, with or without the crowd's channels. */
export async function measureCrowdRound(
  { db, simulator, stack }: BenchStack,
  { crowd, crowdPosts, tenants, leadMs }: CrowdSetup,
  { hasCrowd, label }: { hasCrowd: boolean; label: string },
): Promise<CrowdRound> {
  await simulator.clearPosts()
  await simulator.record(true)
  const dueAtMs = dueAfter(leadMs)
  const due = () => dueAtMs
  // The crowd is first in every queue, which is the worst case for the others.
  if (hasCrowd) {
    await seedPosts(db, {
      workspaceId: stack.info.workspaceId,
      connected: crowd,
      posts: crowdPosts,
      dueAtMs: due,
      label: `crowd ${label}`,
    })
  }
  for (const [n, { workspaceId, platform, account }] of tenants.entries()) {
    const connected = { ...noAccounts(), [platform]: [account] }
    await seedPosts(db, { workspaceId, connected, posts: 1, dueAtMs: due, label: `other ${label} ${n}` })
  }
  if (Date.now() > dueAtMs) throw new Error('the posts were not all stored in time; use a longer --lead')
  await sleep(dueAtMs - Date.now())
  const { left } = await waitSettled(db, { withinMs: settleWithinMs })
  const arrivals = await simulator.arrivals()
  const lateOf = (isWanted: (handle: string) => boolean) =>
    arrivals.filter(({ handle }) => isWanted(handle)).map(({ atMs }) => atMs - dueAtMs)
  const othersLateMs = lateOf((handle) => handle.startsWith('other-'))
  const crowdLateMs = lateOf((handle) => handle.startsWith('crowd'))
  const expected = hasCrowd ? crowdPosts * crowdPlatforms.length : 0
  const engineLeftOpen = await waitEngineIdle(stack.info.restateAdminUrl, engineIdleWithinMs)
  const round: CrowdRound = {
    hasCrowd,
    othersLateMs,
    othersMissing: tenants.length - othersLateMs.length,
    crowd: hasCrowd ? summarize(crowdLateMs) : null,
    crowdMissing: expected - crowdLateMs.length,
    early: [...othersLateMs, ...crowdLateMs].filter((ms) => ms < 0).length,
    left,
    engineLeftOpen,
  }
  logProgress(`${label}: others ${JSON.stringify(summarize(othersLateMs))} crowd ${JSON.stringify(round.crowd)} left ${left}`)
  return round
}
