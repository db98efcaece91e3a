import type { Submit } from '../chaos/stack/simulator-control.ts'
import type { SentPost } from './start-traffic.ts'

/** A part of the drill. `isDeploy`: processes are being replaced. */
export type Phase = { name: string; isDeploy: boolean; fromMs: number; untilMs: number }

export type Lateness = { calls: number; p50Ms: number; p99Ms: number; maxMs: number }

type Calls = { sent: readonly SentPost[]; submits: readonly Submit[] }
type LateCall = { platform: string; text: string; dueMs: number; lateMs: number }

/** How long after its due time each platform was asked for the first time, for the posts that were due in these phases. */
export function latenessIn(phases: readonly Phase[], calls: Calls): Lateness {
  const isWithin = ({ dueMs }: LateCall) => phases.some(({ fromMs, untilMs }) => dueMs >= fromMs && dueMs < untilMs)
  const late = findFirstCalls(calls)
    .filter(isWithin)
    .map(({ lateMs }) => lateMs)
    .toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(late[Math.max(0, Math.ceil(late.length * share) - 1)] ?? 0)
  return { calls: late.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}

const shownMax = 12

/** The calls that were late by most, with the seconds since the beginning at which they were due. */
export function describeSlowest({ beganMs, ...calls }: Calls & { beganMs: number }): string[] {
  return findFirstCalls(calls)
    .toSorted((a, b) => b.lateMs - a.lateMs)
    .slice(0, shownMax)
    .map(({ platform, text, dueMs, lateMs }) => {
      const [due, late] = [((dueMs - beganMs) / 1000).toFixed(1), (lateMs / 1000).toFixed(1)]
      return `${text} on ${platform}: due at ${due} s, late by ${late} s`
    })
}

function findFirstCalls({ sent, submits }: Calls): LateCall[] {
  const firstMs = new Map<string, number>()
  for (const { platform, account, text, atMs } of submits.toSorted((a, b) => b.atMs - a.atMs))
    firstMs.set(`${platform} ${account} ${text}`, atMs)
  return sent.flatMap(({ text, accounts, dueMs }) =>
    accounts.flatMap(({ platform, handle }) => {
      const atMs = firstMs.get(`${platform} ${handle} ${text}`)
      return atMs === undefined ? [] : [{ platform, text, dueMs, lateMs: Math.max(0, atMs - dueMs) }]
    }),
  )
}
