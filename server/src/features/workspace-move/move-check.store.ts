import type pg from 'pg'

export async function hasWorkspace(client: pg.Client, workspaceId: string): Promise<boolean> {
  const { rows } = await client.query('select from workspace where id = $1', [workspaceId])
  return rows.length > 0
}

export async function listAppliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migration order by name')
  return rows.map(({ name }) => name)
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
