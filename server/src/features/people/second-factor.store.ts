import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'

export type SecondFactor = { id: string; secret: string; backupCodes: string }

/** Second factors of all people whose secrets do not begin with this envelope, after an id. They are locked. */
export async function lockSecondFactors(
  tx: Tx,
  { envelope, after, limit }: { envelope: string; after: string; limit: number },
): Promise<SecondFactor[]> {
  const { rows } = await sql<SecondFactor>`
    select id, secret, backup_codes as "backupCodes"
    from two_factor
    where id > ${after} and not (starts_with(secret, ${envelope}) and starts_with(backup_codes, ${envelope}))
    order by id
    limit ${limit}
    for update`.execute(tx)
  return rows
}

export async function updateSecondFactor(tx: Tx, { id, secret, backupCodes }: SecondFactor): Promise<void> {
  await sql`update two_factor set secret = ${secret}, backup_codes = ${backupCodes} where id = ${id}`.execute(tx)
}

/** Encrypted. Not limited to a workspace: a person belongs to none. */
export async function findSecret(system: Db, personId: string): Promise<string | undefined> {
  const { rows } = await sql<{ secret: string }>`select secret from two_factor where person_id = ${personId}`.execute(system)
  return rows[0]?.secret
}

/** In one statement, so that of two requests with the same code one is accepted. */
export async function claimStep(system: Db, { personId, step }: { personId: string; step: number }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update two_factor set last_step = ${step}
    where person_id = ${personId} and (last_step is null or last_step < ${step})`.execute(system)
  return numAffectedRows === 1n
}
