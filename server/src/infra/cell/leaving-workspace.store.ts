import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../db/db.ts'
import type { WorkspaceMoveTable } from '../db/tables.ts'

export type MoveState = Pick<Selectable<WorkspaceMoveTable>, 'state' | 'cell'>

/** The command that moves a workspace renews its row. If the command is ended, the workspace works again after this time. */
const renewedWithin = sql`interval '2 minutes'`

/** SQL: the workspace in this column leaves for another cell. It sends nothing new, so that its last sends can end. */
export function isLeaving(column: string): RawBuilder<boolean> {
  return inState(column, ['leaving', 'closing'])
}

/** SQL: the workspace in this column is about to be taken out of this cell. Its requests are refused. */
export function isClosing(column: string): RawBuilder<boolean> {
  return inState(column, ['closing'])
}

function inState(column: string, states: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`
    exists (
      select from workspace_move m
      where m.id = ${sql.ref(column)} and m.state in (${sql.join(states.map((state) => sql.lit(state)))})
        and m.changed_at > now() - ${renewedWithin}
    )`
}

/** Not limited to a workspace: the workspace may be in another cell. */
export async function findMove(system: Db, workspaceId: string): Promise<MoveState | undefined> {
  return system.selectFrom('workspace_move').where('id', '=', workspaceId).select(['state', 'cell']).executeTakeFirst()
}

/** The move of the workspace that has this key or invitation. Not limited to a workspace: only the secret is known. */
export async function findMoveOfSecret(system: Db, hash: Buffer): Promise<MoveState | undefined> {
  const { rows } = await sql<MoveState>`
    select state, cell from workspace_move where secret_hashes @> array[${hash}::bytea] order by changed_at desc limit 1`.execute(
    system,
  )
  return rows[0]
}
