import type { Rate } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import type { WaitingReason } from '../../../infra/db/tables.ts'
import { connectorOf } from '../../connections/connector-of.ts'
import type { LoadedChannel } from '../open-channel.ts'
import type { Result } from '../settle/result.ts'
import { waitForServerMs } from '../run-on-servers.ts'
import {
  chargeWindows,
  countInDoubt,
  countSharers,
  findOwnAppUsers,
  giveBack,
  lockWindows,
  type OpenWindow,
  type RateWindow,
} from './rate-lease.store.ts'

/** Up to this part of a platform app's quota workspaces are served in order; what is left is shared between those that use it. */
const freeShare = 0.5

/** How long a count of the workspaces that share an app's quota is used. */
const sharersKeptMs = 5_000
/** A window up to this long limits the pace of calls, a longer one their number. */
const shortWindowMs = 60_000

export type Granted = { go: LoadedChannel[]; wait: { loaded: LoadedChannel; untilMs: number; reason: WaitingReason }[] }

type Budget = { key: string; windowMs: number; left: number; endsAtMs: number; granted: number }

/**
 * Grants publishing calls from the limits of the connections and of the platform apps. A channel is sent only if all its limits allow it, and
 * only then are they charged. Channels beyond a limit wait until its window ends, and those of a server that is down until it may be back.
 */
export async function leaseSends(ctx: Context, tx: Tx, armed: readonly LoadedChannel[]): Promise<Granted> {
  if (armed.length === 0) return { go: [], wait: [] }
  const { up, wait } = sortByServer(ctx, armed)
  const budgets = await openBudgets(ctx, tx, up)
  const granted: Granted = { go: [], wait }
  for (const loaded of inTurns(up)) {
    const own = limitsOf(ctx, loaded).map(({ key, rate }) => budgets.get(nameOf(key, rate.windowMs)))
    const full = own.filter((budget) => budget !== undefined && budget.left <= 0)
    if (full.length > 0) {
      granted.wait.push({ loaded, untilMs: Math.max(...full.map((budget) => budget?.endsAtMs ?? 0)), reason: 'rate_limit' })
      continue
    }
    for (const budget of own) {
      if (!budget) continue
      budget.left--
      budget.granted++
    }
    granted.go.push(loaded)
  }
  await charge(tx, budgets)
  return granted
}

async function charge(tx: Tx, budgets: ReadonlyMap<string, Budget>): Promise<void> {
  const charged = [...budgets.values()].filter((budget) => budget.granted > 0)
  await chargeWindows(
    tx,
    charged.map(({ key, windowMs, granted: count }) => ({ key, windowMs, count })),
  )
}

/** Servers that are down are not called; their channels wait. */
function sortByServer(ctx: Context, armed: readonly LoadedChannel[]): { up: LoadedChannel[]; wait: Granted['wait'] } {
  const up: LoadedChannel[] = []
  const wait: Granted['wait'] = []
  for (const loaded of armed) {
    const { platform, instance_url: instanceUrl } = loaded.connection
    const dueAtMs = loaded.channel.due_at?.getTime() ?? ctx.nowMs()
    const waitMs = waitForServerMs(ctx, { platform, instanceUrl, dueAtMs, isCalling: true })
    if (waitMs === 0) up.push(loaded)
    else wait.push({ loaded, untilMs: ctx.nowMs() + waitMs, reason: 'platform_unavailable' })
  }
  return { up, wait }
}

/**
 * A send in doubt that is repeated belongs to the current windows of its connection. If they start with it, it is counted there like the
 * others in doubt; in those that started before, it has been counted.
 */
export async function countRepeat(ctx: Context, loaded: LoadedChannel): Promise<void> {
  await ctx.db.system.transaction().execute(async (tx) => charge(tx, await openBudgets(ctx, tx, [loaded])))
}

/** A call and its result. `chargedAtMs` is when it was charged, by the clock of the database; null or absent if it was not. */
type ChargedCall = {
  row: { workspace_id: string; connection_id: string; platform: string } | null
  result: Result
  chargedAtMs?: number | null
}

/**
 * Gives back the leases of calls that were certainly not carried out, in the transaction that stores their results: what a platform refused
 * must not use up the quota of a day. A call that is in doubt stays charged. After "too many requests" the short windows stay charged too:
 * they limit how often the platform is asked meanwhile.
 */
export async function giveBackLeases(ctx: Context, tx: Tx, calls: readonly ChargedCall[]): Promise<void> {
  const refused = calls.flatMap(({ row, result, chargedAtMs }) => {
    if (!row || !chargedAtMs || (result.kind !== 'later' && result.kind !== 'failed')) return []
    const connection = { workspace_id: row.workspace_id, id: row.connection_id, platform: row.platform }
    return [{ connection, atMs: chargedAtMs, isLimited: result.error.code === 'platform_rate_limited' }]
  })
  if (refused.length === 0) return
  const owners = await findOwnAppUsers(
    tx,
    refused.map(({ connection }) => connection),
  )
  const charged = refused.flatMap(({ connection, atMs, isLimited }) =>
    limitsOf(ctx, { connection: { ...connection, own_app: owners.has(connection.id) } }).flatMap(({ key, rate: { windowMs } }) =>
      isLimited && windowMs <= shortWindowMs ? [] : [{ key, windowMs, atMs }],
    ),
  )
  await giveBack(tx, charged)
}

/** One channel of each workspace, then the second of each: no workspace takes a window before the others had their turn. */
function inTurns(armed: readonly LoadedChannel[]): LoadedChannel[] {
  const byWorkspace = [...Map.groupBy(armed, ({ channel }) => channel.workspace_id).values()]
  if (byWorkspace.length === 1) return [...armed]
  const longest = Math.max(...byWorkspace.map((list) => list.length))
  return Array.from({ length: longest }, (_, turn) => byWorkspace.flatMap((list) => list[turn] ?? [])).flat()
}

/** `connection`: the limit is that of one connection. */
type Limit = { key: string; rate: Rate; sharedBy: string | null; connection?: { workspaceId: string; id: string } }

type Caller = { workspace_id: string; id: string; platform: string; own_app: boolean }

/** The connection's own limits, the app's limits, and the workspace's share of each app limit. */
function limitsOf(ctx: Context, { connection }: { connection: Caller }): Limit[] {
  const { rate } = connectorOf(ctx, connection.platform).manifest
  const own = rate.perConnection.map((each) => ({
    key: `connection ${connection.workspace_id}/${connection.id}`,
    rate: each,
    sharedBy: null,
    connection: { workspaceId: connection.workspace_id, id: connection.id },
  }))
  // The platform counts the calls of each app, and nobody else uses one of a workspace.
  if (connection.own_app)
    return [
      ...own,
      ...rate.perApp.map((each) => ({
        key: `app ${connection.platform} of ${connection.workspace_id}`,
        rate: each,
        sharedBy: null,
      })),
    ]
  const app = `app ${connection.platform}`
  const shared = rate.perApp.flatMap((each) => [
    { key: app, rate: each, sharedBy: null },
    { key: `${app} ${connection.workspace_id}`, rate: each, sharedBy: app },
  ])
  return [...own, ...shared]
}

async function openBudgets(ctx: Context, tx: Tx, armed: readonly LoadedChannel[]): Promise<Map<string, Budget>> {
  const limits = new Map(
    armed.flatMap((loaded) => limitsOf(ctx, loaded).map((limit) => [nameOf(limit.key, limit.rate.windowMs), limit])),
  )
  const windows = await lockWindows(
    tx,
    [...limits.values()].map(({ key, rate }) => ({ key, windowMs: rate.windowMs })),
  )
  const byName = new Map(windows.map((window) => [nameOf(window.key, window.windowMs), window]))
  // A send in doubt may be repeated. It was charged to the window before, and its post then belongs to this one.
  // A connection may have several limits.
  const starting = new Map(
    [...limits].flatMap(([name, { connection }]) => (connection && byName.get(name)?.isNew ? [[connection.id, connection]] : [])),
  )
  const inDoubt = await countInDoubt(tx, [...starting.values()])
  const budgets = new Map<string, Budget>()
  for (const [name, limit] of limits) {
    const window = byName.get(name)
    if (!window) continue
    const allowed = limit.sharedBy === null ? limit.rate.count : await shareOf(ctx, tx, limit, byName)
    const carried = (window.isNew && limit.connection && inDoubt.get(limit.connection.id)) || 0
    budgets.set(name, { ...window, left: allowed - window.used - carried, granted: carried })
  }
  return budgets
}

/** What one workspace may use of an app's quota: all of it while plenty is left, then an equal share of the quota. */
async function shareOf(
  ctx: Context,
  tx: Tx,
  { rate, sharedBy }: Limit,
  windows: ReadonlyMap<string, OpenWindow>,
): Promise<number> {
  const app = windows.get(nameOf(sharedBy ?? '', rate.windowMs))
  const freeLeft = Math.floor(rate.count * freeShare) - (app?.used ?? 0)
  if (freeLeft > 0) return rate.count
  const sharers = Math.max(1, await findSharers(ctx, tx, { key: sharedBy ?? '', windowMs: rate.windowMs }))
  return Math.max(1, Math.floor(rate.count / sharers))
}

const createSharerCounts = () => ({ value: new Map<string, { count: number; atMs: number }>() })

/** Counting reads a row per workspace while the app's window is locked, so a count serves all transactions of a few seconds. */
async function findSharers(ctx: Context, tx: Tx, { key, windowMs }: RateWindow): Promise<number> {
  const counts = ctx.resources.get(createSharerCounts, ctx)
  const name = nameOf(key, windowMs)
  const known = counts.get(name)
  if (known && performance.now() - known.atMs < sharersKeptMs) return known.count
  const count = await countSharers(tx, key, windowMs)
  counts.set(name, { count, atMs: performance.now() })
  return count
}

function nameOf(key: string, windowMs: number): string {
  return `${key} ${windowMs}`
}
