import type pg from 'pg'
import { StartError } from '../../infra/problem/problem.ts'
import type { SecretKeys } from '../../infra/sealing/seal.ts'
import { reencryptFor } from '../../features/people/reencrypt-second-factors.ts'
import type { SecondFactor } from '../../features/people/second-factor.store.ts'

type Keys = { from: SecretKeys; to: SecretKeys }

type Person = { id: string; email: string }

/** The people of a workspace that is in its tables. */
export async function listPeople(client: pg.Client, workspaceId: string): Promise<Person[]> {
  const { rows } = await client.query<Person>(
    `select id, email from person
     where id in (select person_id from member where workspace_id = $1 union select person_id from api_key where workspace_id = $1)`,
    [workspaceId],
  )
  return rows
}

/** The accounts that these people have here already. Refuses if one has an address that was never confirmed. */
export async function findAccounts(
  client: pg.Client,
  people: readonly Person[],
): Promise<(Person & { hereId: string | null })[]> {
  const { rows } = await client.query<Person & { hereId: string | null; isVerified: boolean }>(
    `select r.id, r.email, coalesce(same.id, other.id) as "hereId", coalesce(same.id is not null or other.email_verified, false) as "isVerified"
     from unnest($1::text[], $2::text[]) as r (id, email)
     left join person same on same.id = r.id
     left join person other on other.email = lower(r.email)`,
    [people.map(({ id }) => id), people.map(({ email }) => email)],
  )
  const unconfirmed = rows.filter(({ hereId, isVerified }) => hereId !== null && !isVerified)
  if (unconfirmed.length > 0)
    throw new StartError(
      `In the target cell there is an account with an address that was never confirmed there: ${unconfirmed.map(({ email }) => email).join(', ')}. ` +
        'Its owner confirms the address or deletes the account first.',
    )
  return rows
}

/**
 * Gives the people of the workspace an account in this cell, with the same password, passkeys and second factor, unless they have one. An
 * account with the same address is taken for the same person only if the address was confirmed here: otherwise somebody could sign up with
 * the address of another person and wait for their workspace. Returns the ids that differ.
 */
export async function movePeople(client: pg.Client, workspaceId: string, keys: Keys): Promise<Record<string, string>> {
  const { rows: people } = await client.query<Person>(
    `select r.id, r.email from workspace_parcel p cross join lateral unnest(p.rows::person[]) as r
     where p.id = $1 and p.table_name = 'person'`,
    [workspaceId],
  )
  const found = await findAccounts(client, people)
  const added = found.filter(({ hereId }) => hereId === null).map(({ id }) => id)
  for (const [table, id] of [
    ['person', 'id'],
    ['account', 'person_id'],
    ['passkey', 'person_id'],
    ['two_factor', 'person_id'],
  ] as const)
    await client.query(
      `insert into ${table}
       select r.*
       from workspace_parcel p
       cross join lateral unnest(p.rows::${table}[]) as r
       where p.id = $1 and p.table_name = '${table}' and r.${id} = any($2)
       on conflict do nothing`,
      [workspaceId, added],
    )
  await reencryptFactors(client, added, keys)
  const differing = found.filter(({ id, hereId }) => hereId !== null && hereId !== id)
  return Object.fromEntries(differing.map(({ id, hereId }) => [id, hereId ?? id]))
}

/** A second factor that the source could not read either is kept as it is: it must not become a sign-in without one. */
async function reencryptFactors(client: pg.Client, people: readonly string[], keys: Keys): Promise<void> {
  const { rows } = await client.query<SecondFactor>(
    'select id, secret, backup_codes as "backupCodes" from two_factor where person_id = any($1)',
    [people],
  )
  for (const factor of rows) {
    const changed = await reencryptFor(keys, factor)
    if (changed)
      await client.query('update two_factor set secret = $2, backup_codes = $3 where id = $1', [
        changed.id,
        changed.secret,
        changed.backupCodes,
      ])
  }
}
