import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { LimitedClient } from '../db/connection-limits.ts'
import type { Db, Tx } from '../db/db.ts'
import { migrationLock } from '../db/migrate.ts'
import { StartError } from '../problem/problem.ts'
import { type GroupRole, type Login, type Logins, groupRoles, loginPrefix } from './derive-logins.ts'

/** Creates the two group roles, which a dump of the database refers to and does not contain. They belong to the whole cluster. */
export async function ensureGroupRoles(ownerUrl: string): Promise<string[]> {
  return asOwner(ownerUrl, createGroupRoles)
}

type Defaults = Readonly<Record<GroupRole, Readonly<Record<string, string>>>>

/**
 * Creates the logins, or gives them their password, their only membership and the default settings of their sessions again. Several processes
 * may call it at once.
 */
export async function ensureLogins(ownerUrl: string, logins: readonly Login[], defaults?: Defaults): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await createGroupRoles(client)
    await checkRights(client)
    for (const login of logins) await ensureLogin(client, login, defaults?.[login.role] ?? {})
    await withholdCreation(client, logins)
  })
}

/** Drops the logins that follow from secret keys other than these, and returns their names. */
export async function dropOtherLogins(ownerUrl: string, kept: readonly Logins[]): Promise<string[]> {
  const names = kept.flatMap((each) => Object.values(each).map(({ name }) => name))
  return asOwner(ownerUrl, async (client) => {
    const prefixes = groupRoles.map((role) => loginPrefix(ownerUrl, role))
    const { rows } = await client.query<{ rolname: string }>(
      `select rolname from pg_roles
       where exists (select from unnest($1::text[]) prefix where starts_with(rolname, prefix)) and rolname <> all($2)`,
      [prefixes, names],
    )
    for (const { rolname } of rows) await client.query(`drop role ${pg.escapeIdentifier(rolname)}`)
    return rows.map(({ rolname }) => rolname)
  })
}

async function asOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new LimitedClient({ connectionString: ownerUrl, application_name: 'carillon logins', keepAlive: true })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    return await work(client)
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error
    throw new StartError(
      `The user of DATABASE_URL may not create the logins of the service: ${(error as Error).message}. Give it the attribute ` +
        `CREATEROLE. Or create one login that is a member of carillon_app only and one that is a member of carillon_system only, and set ` +
        `CARILLON_DATABASE_APP_URL and CARILLON_DATABASE_SYSTEM_URL.`,
      { cause: error },
    )
  } finally {
    await client.end()
  }
}

const insufficientPrivilege = '42501'
const duplicateObject = '42710'

async function createGroupRoles(client: pg.Client): Promise<string[]> {
  const missing = await findMissing(client, groupRoles)
  for (const role of missing) {
    // The lock is one of this database; another database of the cluster may create the same roles now.
    await client.query(`create role ${role} nologin`).catch((error: { code?: string }) => {
      if (error.code !== duplicateObject) throw error
    })
  }
  return missing
}

/** A dump that was restored before the roles existed has its rows, but neither rights nor policies. */
async function checkRights(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ complete: boolean }>(`
    select has_table_privilege('carillon_app', 'post', 'insert') and has_table_privilege('carillon_system', 'post', 'insert')
      and (select count(*) from pg_policy where polrelid = 'post'::regclass) >= 2 as complete`)
  if (rows[0]?.complete) return
  throw new StartError(
    'The tables of this database have no rights for the roles carillon_app and carillon_system. It was probably restored from a dump ' +
      'into a PostgreSQL without these roles. Empty the database, run "carillon roles", and restore the dump again.',
  )
}

async function ensureLogin(client: pg.Client, { role, name, password }: Login, defaults: Defaults[GroupRole]): Promise<void> {
  const login = pg.escapeIdentifier(name)
  if ((await findMissing(client, [name])).length > 0) await client.query(`create role ${login}`)
  await client.query(`alter role ${login} login inherit password ${pg.escapeLiteral(scramVerifier(password))}`)
  // A login may change its own defaults.
  await client.query(`alter role ${login} reset all`)
  for (const [setting, value] of Object.entries(defaults))
    await client.query(`alter role ${login} set ${setting} = ${pg.escapeLiteral(value)}`)
  // "set false": the login has the rights of the group, and not even the group is a role that it can change to. Known since version 16.
  const { rows } = await client.query<{ version: number }>(`select current_setting('server_version_num')::int as version`)
  const options = (rows[0]?.version ?? 0) >= 160_000 ? 'with inherit true, set false' : ''
  await client.query(`grant ${role} to ${login} ${options}`)
}

/** By default everyone may create temporary tables, and in databases of old versions also tables in the schema. */
async function withholdCreation(client: pg.Client, logins: readonly Login[]): Promise<void> {
  const [login] = logins
  if (!login) return
  const { rows } = await client.query<{ database: string; temporary: boolean; schema: boolean }>(
    `select current_database() as database, has_database_privilege($1, current_database(), 'temp') as temporary,
       has_schema_privilege($1, 'public', 'create') as schema`,
    [login.name],
  )
  const [right] = rows
  if (right?.temporary) await client.query(`revoke temporary on database ${pg.escapeIdentifier(right.database)} from public`)
  if (right?.schema) await client.query('revoke create on schema public from public')
}

async function findMissing(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) name where not exists (select from pg_roles where rolname = name) order by name',
    [names],
  )
  return rows.map(({ name }) => name)
}

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

const iterations = 4096

/**
 * The form in which PostgreSQL stores a password. It is computed here, because a password in a statement could end up in the log of the
 * database.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest()
  const keys = `${storedKey.toString('base64')}:${hmac('Server Key').toString('base64')}`
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${keys}`
}
