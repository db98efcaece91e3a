import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'

export type Person = { id: string; email: string; name: string }

/** A person does not belong to a workspace. Addresses are compared without regard to case. */
export async function findPersonByEmail(system: Db | Tx, email: string): Promise<Person | undefined> {
  return system
    .selectFrom('person')
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .select(['id', 'email', 'name'])
    .executeTakeFirst()
}

export async function findPersonById(db: Db | Tx, id: string): Promise<Person | undefined> {
  return db.selectFrom('person').where('id', '=', id).select(['id', 'email', 'name']).executeTakeFirst()
}

export async function insertPerson(system: Db | Tx, row: Person & { created_at: Date }): Promise<void> {
  await system
    .insertInto('person')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Locks the person's row and returns whether their address is verified. Not limited to a workspace: a person belongs to none. */
export async function lockIsVerified(system: Tx, personId: string): Promise<boolean> {
  const row = await system
    .selectFrom('person')
    .where('id', '=', personId)
    .select('email_verified')
    .forUpdate()
    .executeTakeFirstOrThrow()
  return row.email_verified
}

export async function isVerified(system: Db, personId: string): Promise<boolean> {
  const row = await system.selectFrom('person').where('id', '=', personId).select('email_verified').executeTakeFirst()
  return row?.email_verified ?? false
}

export async function markVerified(system: Tx, personId: string): Promise<void> {
  await system.updateTable('person').where('id', '=', personId).set({ email_verified: true }).execute()
}

/** Deletes every way in which this person can sign in, except those of one provider. */
export async function deleteSignIns(system: Tx, personId: string, { except }: { except: string | null }): Promise<void> {
  await system
    .deleteFrom('account')
    .where('person_id', '=', personId)
    .$if(except !== null, (query) => query.where('provider_id', '<>', except ?? ''))
    .execute()
  await system.deleteFrom('two_factor').where('person_id', '=', personId).execute()
  await system.deleteFrom('passkey').where('person_id', '=', personId).execute()
  await system.deleteFrom('session').where('person_id', '=', personId).execute()
}

/**
 * Ends the links that were mailed to this person, the sign-ins that wait for a second factor, and the devices that need none. They were
 * given for an earlier password.
 */
export async function deleteVerifications(system: Db | Tx, personId: string): Promise<void> {
  await system.deleteFrom('verification').where('value', '=', personId).execute()
}

/** Deletes expired rows. */
export async function deleteExpired(system: Db, now: Date): Promise<void> {
  await system.deleteFrom('session').where('expires_at', '<=', now).execute()
  await system.deleteFrom('verification').where('expires_at', '<=', now).execute()
  await system.deleteFrom('attempt_window').where('ends_at', '<=', now).execute()
}
