import { sql } from 'kysely'
import type { Plan } from '@carillon/contract'
import { cellEpoch } from '../../infra/cell/cell.store.ts'
import type { Db } from '../../infra/db/db.ts'
import type { ConnectionRow } from '../connections/connection.store.ts'
import type { ChannelRef } from '../publishing/channel-ref.ts'

/** Across workspaces: an operator names a connection by its slug or id, which is unique only in its workspace. */
export async function findNamedConnections(system: Db, name: string, workspaceId: string | null): Promise<ConnectionRow[]> {
  const named = system
    .selectFrom('connection')
    .where((where) => where.or([where('slug', '=', name), where('id', '=', name)]))
    .where('status', '<>', 'disconnected')
  const found = workspaceId === null ? named : named.where('workspace_id', '=', workspaceId)
  return found.selectAll().orderBy('workspace_id').limit(20).execute()
}

/** The person in whose name an operator tests a connection. */
export async function findOwner(system: Db, workspaceId: string): Promise<{ personId: string; plan: Plan } | undefined> {
  return system
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .where('member.workspace_id', '=', workspaceId)
    .where('member.role', '=', 'owner')
    .select(['member.person_id as personId', 'workspace.plan'])
    .orderBy('member.joined_at')
    .executeTakeFirst()
}

/** The published post of a channel, as the part of it that was sent first. */
export async function findSentRef(system: Db, workspaceId: string, channelId: string): Promise<ChannelRef | undefined> {
  const { rows } = await sql<ChannelRef>`
    select workspace_id as "workspaceId", id as "channelId", generation, ${cellEpoch} as epoch
    from part
    where workspace_id = ${workspaceId} and id = ${channelId}`.execute(system)
  return rows[0]
}

/** What the first comment of a channel is called on the platform; null if there is none, or its name is not known. */
export async function findCommentId(system: Db, workspaceId: string, channelId: string): Promise<string | null> {
  const row = await system
    .selectFrom('part')
    .where('workspace_id', '=', workspaceId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'published')
    .whereRef('number', '>', 'thread_parts')
    .select('platform_post_id')
    .executeTakeFirst()
  return row?.platform_post_id ?? null
}
