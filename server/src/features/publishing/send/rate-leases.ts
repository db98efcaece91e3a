import type { Context } from '../../../context.ts'
import { connectorOf } from '../../connections/open-client.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { takeLeases, type Lease } from './rate-lease.store.ts'
import type { LoadedChannel } from '../open-channel.ts'

const connectionKey = ({ connection }: LoadedChannel) => `connection ${connection.workspace_id}/${connection.id}`
const appKey = ({ connection }: LoadedChannel) => `app ${connection.platform}`

export type Granted = { go: LoadedChannel[]; wait: { loaded: LoadedChannel; untilMs: number }[] }

/** Takes one publishing call per channel from the limits of its connection and of the platform app. Channels beyond a limit wait. */
export async function leaseSends(ctx: Context, tx: Tx, armed: readonly LoadedChannel[]): Promise<Granted> {
  const wanted = new Map<string, Lease>()
  for (const loaded of armed) {
    const { rate } = connectorOf(ctx, loaded.connection.platform).manifest
    for (const [key, rates] of [
      [connectionKey(loaded), rate.perConnection],
      [appKey(loaded), rate.perApp],
    ] as const) {
      for (const each of rates) {
        const name = `${key} ${each.windowMs}`
        wanted.set(name, { key, rate: each, wanted: (wanted.get(name)?.wanted ?? 0) + 1 })
      }
    }
  }
  const leased = await takeLeases(tx, [...wanted.values()])
  const over = leased.filter((lease) => lease.over > 0).map((lease) => ({ ...lease }))
  if (over.length === 0) return { go: [...armed], wait: [] }

  const granted: Granted = { go: [], wait: [] }
  // The last of the batch are those that wait.
  for (const loaded of armed.toReversed()) {
    const full = over.filter((lease) => lease.over > 0 && (lease.key === connectionKey(loaded) || lease.key === appKey(loaded)))
    for (const lease of full) lease.over--
    if (full.length === 0) granted.go.unshift(loaded)
    else granted.wait.push({ loaded, untilMs: Math.max(...full.map(({ untilMs }) => untilMs)) })
  }
  return granted
}
