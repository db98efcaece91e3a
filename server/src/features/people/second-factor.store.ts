import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'

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
