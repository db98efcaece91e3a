import type { Submit } from '../chaos/stack/simulator-control.ts'
import type { SentPost } from './start-traffic.ts'

/** A part of the drill. `isDeploy`: processes are being replaced. */
export type Phase = { name: string; isDeploy: boolean; fromMs: number; untilMs: number }

export type Lateness = { calls: number; p50Ms: number; p99Ms: number; maxMs: number }

/** How long after its due time each platform was asked for the first time, for the posts that were due in these phases. */
export function latenessIn(phases: readonly Phase[], sent: readonly SentPost[], submits: readonly Submit[]): Lateness {
  const firstCall = new Map<string, number>()
  for (const { platform, account, text, atMs } of submits.toSorted((a, b) => b.atMs - a.atMs))
    firstCall.set(`${platform} ${account} ${text}`, atMs)
  const isWithin = (dueMs: number) => phases.some(({ fromMs, untilMs }) => dueMs >= fromMs && dueMs < untilMs)
  const late = sent
    .filter(({ dueMs }) => isWithin(dueMs))
    .flatMap(({ text, accounts, dueMs }) =>
      accounts.flatMap(({ platform, handle }) => {
        const atMs = firstCall.get(`${platform} ${handle} ${text}`)
        return atMs === undefined ? [] : [Math.max(0, atMs - dueMs)]
      }),
    )
    .toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(late[Math.max(0, Math.ceil(late.length * share) - 1)] ?? 0)
  return { calls: late.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}
