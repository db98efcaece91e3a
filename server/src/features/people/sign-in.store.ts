import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'

/** Whether any person of this install can sign in. Not limited to a workspace: people belong to none. */
export async function canAnyoneSignIn(system: Db | Tx): Promise<boolean> {
  const row = await system
    .selectNoFrom((from) =>
      from
        .or([
          from.exists(from.selectFrom('account').select('person_id')),
          from.exists(from.selectFrom('passkey').select('person_id')),
        ])
        .as('can_sign_in'),
    )
    .executeTakeFirstOrThrow()
  return Boolean(row.can_sign_in)
}

/** Whether this person can sign in. */
export async function canSignIn(system: Db | Tx, personId: string): Promise<boolean> {
  const row = await system
    .selectNoFrom((from) =>
      from
        .or([
          from.exists(from.selectFrom('account').where('person_id', '=', personId).select('person_id')),
          from.exists(from.selectFrom('passkey').where('person_id', '=', personId).select('person_id')),
        ])
        .as('can_sign_in'),
    )
    .executeTakeFirstOrThrow()
  return Boolean(row.can_sign_in)
}

/** The first run is decided by one transaction at a time. The number is only a name for the lock. */
export async function lockFirstRun(system: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7230011)`.execute(system)
}

type NewPassword = { id: string; personId: string; hash: string; at: Date }

/** Gives a person a password, in the form in which better-auth reads it. */
export async function insertPassword(system: Tx, { id, personId, hash, at }: NewPassword): Promise<void> {
  await system
    .insertInto('account')
    .values({
      id,
      person_id: personId,
      provider_id: 'credential',
      account_id: personId,
      password: hash,
      created_at: at,
      updated_at: at,
    })
    .execute()
}

export async function renamePerson(system: Tx, personId: string, name: string): Promise<void> {
  await system.updateTable('person').where('id', '=', personId).set({ name }).execute()
}
