import type { Submit } from '../setup/simulator.ts'
import { summarize, type Summary } from '../stats.ts'
import type { Entry } from './create-ledger.ts'
import { refusalStatus } from './platform-faults.data.ts'

/** A channel as the service has stored it. */
export type StoredChannel = { postId: string; platform: string; handle: string; state: string }

export type SoakSends = {
  expected: number
  published: number
  /** Refused by the platform for good, as the faults of the soak ask it to. */
  failed: number
  unconfirmed: number
  /** Expected, and neither on the platform nor reported as failed or unconfirmed. */
  lost: number
  /** On a platform more than once. */
  doubled: number
  /** Reported as published, but not on the platform; or reported as failed, but there, or never refused. */
  misreported: number
  /** On a platform, although the post was deleted or is a draft, or with a text from before an edit. */
  unwanted: number
  early: number
  /** How long after its due time the first call for a scheduled channel arrived. */
  lateMs: Summary
  /** The due minute and the lateness of every scheduled channel, for the plot. */
  lateness: { dueAtMs: number; lateMs: number }[]
  examples: string[]
}

const carriedOut: ReadonlySet<string> = new Set(['created', 'dropped_after'])
const examplesMax = 20

/** Compares what was asked for with what the platforms recorded and what the service says. */
export function judgeSends(
  entries: readonly Entry[],
  submits: readonly Submit[],
  channels: readonly StoredChannel[],
  untilMs = Infinity,
): SoakSends {
  const calls = Map.groupBy(submits, ({ platform, account, text }) => keyOf(platform, account, text))
  const stateOf = new Map(channels.map(({ postId, platform, handle, state }) => [keyOf(platform, handle, postId), state]))
  const sends: SoakSends = {
    expected: 0,
    published: 0,
    failed: 0,
    unconfirmed: 0,
    lost: 0,
    doubled: 0,
    misreported: 0,
    unwanted: 0,
    early: 0,
    lateMs: summarize([]),
    lateness: [],
    examples: [],
  }
  const example = (what: string, key: string) => {
    if (sends.examples.length < examplesMax) sends.examples.push(`${what}: ${key}`)
  }
  const wanted = new Set<string>()
  for (const { id, text, targets, dueAtMs, state } of entries) {
    // A post that is not due yet says nothing in a report before the end.
    const isOpen = (dueAtMs ?? 0) > untilMs
    for (const { platform, handle } of targets) {
      const key = keyOf(platform, handle, text)
      const own = calls.get(key) ?? []
      const made = own.filter(({ outcome }) => carriedOut.has(outcome)).length
      if (state !== 'deleted' && state !== 'draft') wanted.add(key)
      if (made > 1) {
        sends.doubled++
        example('doubled', key)
      }
      if (state !== 'expected' || isOpen) continue
      sends.expected++
      const said = stateOf.get(keyOf(platform, handle, id ?? ''))
      if (said === 'failed') sends.failed++
      else if (said === 'unconfirmed') sends.unconfirmed++
      else if (made > 0) sends.published++
      else {
        sends.lost++
        example(`lost (${said})`, key)
      }
      const wasRefused = own.some(({ faultStatus }) => faultStatus === refusalStatus)
      if ((said === 'published' && made === 0) || (said === 'failed' && (made > 0 || !wasRefused))) {
        sends.misreported++
        example(`misreported (${said})`, key)
      }
      const first = own[0]
      if (dueAtMs === null || !first) continue
      sends.lateness.push({ dueAtMs, lateMs: first.atMs - dueAtMs })
    }
  }
  for (const [key, own] of calls) {
    if (wanted.has(key) || !own.some(({ outcome }) => carriedOut.has(outcome))) continue
    sends.unwanted++
    example('unwanted', key)
  }
  sends.early = sends.lateness.filter(({ lateMs }) => lateMs < 0).length
  sends.lateMs = summarize(sends.lateness.map(({ lateMs }) => lateMs))
  return sends
}

function keyOf(platform: string, account: string | null, text: string): string {
  return `${platform} ${account} ${text}`
}
