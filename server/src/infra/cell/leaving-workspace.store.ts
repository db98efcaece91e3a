import { sql, type RawBuilder } from 'kysely'

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
