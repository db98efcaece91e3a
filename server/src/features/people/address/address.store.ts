import { sql } from 'kysely'
import pg from 'pg'
import type { Db, Tx } from '../../../infra/db/db.ts'

// A person belongs to no workspace, so everything here is written across workspaces.

type NewLink = { id: string; identifier: string; personId: string; now: Date; expiresAt: Date }

/** Stored as the other links of a person are, so that a new password ends it with them. */
export async function insertAddressLink(system: Db, { id, identifier, personId, now, expiresAt }: NewLink): Promise<void> {
  await system
    .insertInto('verification')
    .values({ id, identifier, value: personId, expires_at: expiresAt, created_at: now, updated_at: now })
    .execute()
}

/** Uses up a link of this person, in one statement, so that of two requests with the same link one succeeds. */
export async function takeAddressLink(
  tx: Tx,
  { identifier, personId, now }: { identifier: string; personId: string; now: Date },
): Promise<boolean> {
  const taken = await tx
    .deleteFrom('verification')
    .where('identifier', '=', identifier)
    .where('value', '=', personId)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

/** The index on the address decides when two people want the same one. */
export async function updateAddress(
  tx: Tx,
  { personId, email, isProven }: { personId: string; email: string; isProven: boolean },
): Promise<void> {
  await tx
    .updateTable('person')
    .where('id', '=', personId)
    .set({ email, updated_at: sql`now()`, ...(isProven && { email_verified: true }) })
    .execute()
}

/** One compares addresses as they are stored, the other without regard to case. */
const addressIndexes: ReadonlySet<string> = new Set(['person_email_key', 'person_address'])

/** Whether an error means that another person has this address. */
export function isAddressTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && addressIndexes.has(error.constraint ?? '')
}
