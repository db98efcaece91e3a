import { sql } from 'kysely'
import type { Db } from '../../../infra/db/db.ts'

/** Makes new and changed posts of all workspaces searchable, and returns how many were on the list. */
export async function fillWords(system: Db, limit: number): Promise<number> {
  // A row that is locked belongs to a change of its post that has not been committed, so its text is not known yet.
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from post_unsearched
      where (workspace_id, post_id) in (
        select workspace_id, post_id
        from post_unsearched
        limit ${limit}
        for update skip locked
      )
      returning workspace_id, post_id
    ),
    stored as (
      insert into post_search (workspace_id, post_id, words)
      select p.workspace_id, p.id, fold_case(concat_ws(E'\n', p.title, p.text))
      from taken
      join post p on p.workspace_id = taken.workspace_id and p.id = taken.post_id
      on conflict (workspace_id, post_id) do update set words = excluded.words
    )
    select count(*)::int as taken
    from taken`.execute(system)
  return rows[0]?.taken ?? 0
}

/** Stores the platforms of posts of all workspaces where an earlier release has not, and returns how many there were. */
export async function fillPlatforms(system: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with found as (
      select workspace_id, id
      from post
      where platforms is null
      limit ${limit}
      for update skip locked
    )
    update post p
    set platforms = (
      select coalesce(string_agg(distinct c.platform collate "C", ',' order by c.platform collate "C"), '')
      from channel c
      where c.workspace_id = p.workspace_id and c.post_id = p.id
    )
    from found
    where p.workspace_id = found.workspace_id and p.id = found.id`.execute(system)
  return Number(numAffectedRows ?? 0)
}
