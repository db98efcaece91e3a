import { sql } from 'kysely'
import type { Db, Tx } from '../db/db.ts'
import type { GroupRole } from './derive-logins.ts'

/** `attributes` and `others` (further memberships) give a login more than the rights of its role. */
export type Rights = { name: string; isMember: boolean; attributes: string[]; others: string[] }

/** What the login of this connection may do, whatever role is set in it. */
export async function readRights(db: Db | Tx, role: GroupRole): Promise<Rights> {
  const { rows } = await sql<Rights>`
    select rolname as name, pg_has_role(session_user, ${role}, 'usage') as "isMember",
      array_remove(array[
        case when rolsuper then 'superuser' end, case when rolbypassrls then 'bypassrls' end, case when rolcreaterole then 'createrole' end,
        case when rolcreatedb then 'createdb' end, case when rolreplication then 'replication' end], null) as attributes,
      array(select g.rolname::text from pg_roles g
        where g.rolname not in (session_user, ${role}) and pg_has_role(session_user, g.oid, 'member')) as others
    from pg_roles where rolname = session_user`.execute(db)
  const [rights] = rows
  if (!rights) throw new Error('the login has no role')
  return rights
}
