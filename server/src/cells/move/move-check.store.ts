import type pg from 'pg'
import { auditTables, eventTable, movedTables, personTables } from './moved-tables.data.ts'

export async function hasWorkspace(client: pg.Client, workspaceId: string): Promise<boolean> {
  const { rows } = await client.query('select from workspace where id = $1', [workspaceId])
  return rows.length > 0
}

const names = [...movedTables, eventTable, ...auditTables].map(({ name }) => name)

/** The migrations, and the columns in their order: a row on its way is a list of values, and each must reach the column that it came from. */
export async function describeSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ line: string }>(
    `select name as line from migration
     union all
     select format('%s: %s', c.relname, string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum))
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1)
     group by c.relname`,
    [[...names, ...personTables]],
  )
  return rows
    .map(({ line }) => line)
    .toSorted()
    .join('\n')
}

export async function listPlatforms(client: pg.Client, workspaceId: string): Promise<string[]> {
  const { rows } = await client.query<{ platform: string }>(
    `select distinct platform from connection where workspace_id = $1 and status <> 'disconnected' order by platform`,
    [workspaceId],
  )
  return rows.map(({ platform }) => platform)
}

/** Two commands for one workspace must not run at the same time. The lock ends with the connection. */
export async function lockForCommand(source: pg.Client, workspaceId: string): Promise<boolean> {
  const { rows } = await source.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('move ' || $1, 0)) as locked`,
    [workspaceId],
  )
  return rows[0]?.locked ?? false
}
