import { queryDatabase } from '../../support/query-database.ts'

/** Nothing is collected from the platforms any more, so that the numbers of these accounts are those of the test: here none. */
export async function holdFollowers(workspaceId: string): Promise<void> {
  await queryDatabase(
    `insert into metric_pull (workspace_id, connection_id, platform, due_at, held_until)
    select workspace_id, id, platform, now() + interval '1 day', now() + interval '1 day'
    from connection
    where workspace_id = $1
    on conflict (workspace_id, connection_id) do update set due_at = excluded.due_at, held_until = excluded.held_until`,
    [workspaceId],
  )
  await queryDatabase('delete from follower_day where workspace_id = $1', [workspaceId])
}

/** Six weeks of followers of the accounts on these platforms, with a day on which a platform did not answer. */
export async function insertSampleFollowers(workspaceId: string, platforms: readonly string[]): Promise<void> {
  await holdFollowers(workspaceId)
  await queryDatabase(
    `insert into follower_day (workspace_id, connection_id, day, followers)
    select c.workspace_id, c.id, (now() at time zone 'UTC')::date - ago, 1200 + array_position($2, c.platform) * 400 - ago * 3 + (ago % 5) * 2
    from connection c, generate_series(0, 41) as ago
    where c.workspace_id = $1 and c.platform = any($2::text[]) and ago <> 9`,
    [workspaceId, platforms],
  )
}
