import type { ApiChannel, ApiPost } from '../client/api-post.ts'
import type { ExpectedPost } from '../client/expected-post.ts'
import type { Platform } from '../plan/platform-traits.ts'
import { plainPost } from '../plan/plan-posts.ts'
import type { Slot } from '../plan/slot.ts'
import type { Findings } from './findings.ts'
import type { Submit } from '../stack/simulator-control.ts'

/** All times of the fixtures count from here. */
export const baseMs = 1_800_000_000_000

export type SeedParts = {
  platform?: Platform
  workspace?: Slot['workspace']
  channel?: Partial<ApiChannel> | null
  post?: Partial<ApiPost>
  expected?: Partial<ExpectedPost>
  submits?: Partial<Submit>[]
  failedQuestions?: number
  findings?: Partial<Findings>
}

/** A seed with one post on one channel, which was published well, and whatever `parts` changes about it. */
export function findingsOf(parts: SeedParts = {}): Findings {
  const { platform = 'x', workspace = 'eager', failedQuestions = 0 } = parts
  const slot: Slot = { workspace, platform, index: 0 }
  const account = { ...slot, handle: 'bell', slug: `${platform}-bell`, id: 'connection' }
  const expected: ExpectedPost = {
    plan: {
      ...plainPost,
      n: 0,
      atMs: 0,
      slots: [slot],
      dueInMs: 1000,
    },
    workspace,
    text: 'a post',
    thread: [],
    comment: null,
    connections: [account.slug],
    canBeRefused: false,
    requestId: 'request',
    intent: 'publish',
    earliestMs: baseMs,
    acceptedMs: baseMs,
    stoppedAtMs: null,
    wasScheduled: true,
    requests: { schedule: 1, publish: 0, retry: 0, resolve: 0 },
    log: [],
    ...parts.expected,
  }
  const channel: ApiChannel = {
    id: 'channel',
    platform,
    connection: account.slug,
    status: 'success',
    errorCode: null,
    attempts: 1,
    postId: '1',
    warnings: [],
    lateMs: null,
    parts: [],
    ...parts.channel,
  }
  const post: ApiPost = {
    id: 'post',
    requestId: 'request',
    status: 'completed',
    text: expected.text,
    scheduledAtMs: baseMs,
    channels: parts.channel === null ? [] : [channel],
    ...parts.post,
  }
  return {
    nowMs: baseMs + 120_000,
    slowness: 1,
    calmSlowness: 1,
    expectedPosts: [expected],
    posts: [post],
    submits: (parts.submits ?? [{}]).map((submit) => ({ ...call(platform), ...submit })),
    accounts: { accounts: [account], of: () => account },
    faultCounts: { total: 0, of: (_slot, operation) => (operation === 'find' ? failedQuestions : 0) },
    permissionChanges: [],
    disturbances: [],
    deaths: [],
    callers: { 'first:1': 'worker-1', 'second:2': 'worker-2' },
    accountCalls: [],
    ...parts.findings,
  }
}

function call(platform: string): Submit {
  return {
    platform,
    account: 'bell',
    operation: 'create',
    atMs: baseMs + 500,
    answeredAtMs: baseMs + 600,
    host: 'first:1',
    text: 'a post',
    key: 'key',
    replyTo: null,
    outcome: 'created',
    postId: '1',
    fault: null,
    faultStatus: null,
  }
}
