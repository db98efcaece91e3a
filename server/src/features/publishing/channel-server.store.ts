import { sql } from 'kysely'
import type { Db } from '../../infra/db/db.ts'
import { channelRefRows, isCurrent } from './channel-ref-rows.store.ts'
import { refOf, type ChannelRef, type ChannelRefRow } from './channel-ref.ts'

export type ChannelServer = {
  ref: ChannelRef
  connectionId: string
  platform: string
  /** The server of its connection, where users choose it. */
  instanceUrl: string | null
}

/** Those of these channels that are still in one of the states, with the server that their connection uses. */
export async function findServers(system: Db, refs: readonly ChannelRef[], states: readonly string[]): Promise<ChannelServer[]> {
  const { rows } = await sql<ChannelRefRow & { connection_id: string; platform: string; instance_url: string | null }>`
    select c.workspace_id, c.id, c.generation, t.epoch, c.connection_id, c.platform, k.instance_url
    from ${channelRefRows(refs)}
    join part c on ${isCurrent} and c.state = any(${[...states]})
    left join connection k on k.workspace_id = c.workspace_id and k.id = c.connection_id`.execute(system)
  return rows.map((row) => ({
    ref: refOf(row),
    connectionId: row.connection_id,
    platform: row.platform,
    instanceUrl: row.instance_url,
  }))
}

/** A process works on these channels: the sweep leaves them alone for this long. A row that is locked is being changed and gets another time. */
export async function keepFor(system: Db, refs: readonly ChannelRef[], forMs: number): Promise<void> {
  await sql`
    with kept as (
      select c.workspace_id, c.id
      from ${channelRefRows(refs)}
      join part c on ${isCurrent} and c.state in ('dispatched', 'submitting', 'confirming')
      for update of c skip locked
    )
    update part c
    set recover_at = now() + make_interval(secs => ${forMs / 1000})
    from kept
    where c.workspace_id = kept.workspace_id and c.id = kept.id`.execute(system)
}
