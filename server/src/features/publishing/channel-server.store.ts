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
    join channel c on ${isCurrent} and c.state = any(${[...states]})
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
      join channel c on ${isCurrent} and c.state in ('dispatched', 'submitting', 'confirming')
      for update of c skip locked
    )
    update channel c
    set recover_at = now() + make_interval(secs => ${forMs / 1000})
    from kept
    where c.workspace_id = kept.workspace_id and c.id = kept.id`.execute(system)
}

/** The same for first comments. Those that wait are lost 20 seconds after their time, those that are being sent 90 seconds after it. */
export async function keepCommentsFor(system: Db, refs: readonly ChannelRef[], forMs: number): Promise<void> {
  await sql`
    with kept as (
      select c.workspace_id, c.id
      from ${channelRefRows(refs)}
      join channel c on ${isCurrent} and c.comment_state in ('waiting', 'submitting')
      for update of c skip locked
    )
    update channel c
    set comment_at = greatest(
      c.comment_at,
      now() + make_interval(secs => ${forMs / 1000}) - case c.comment_state when 'waiting' then interval '20 seconds' else interval '90 seconds' end
    )
    from kept
    where c.workspace_id = kept.workspace_id and c.id = kept.id`.execute(system)
}
