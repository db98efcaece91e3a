import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { SignedMark } from './audit-chain.store.ts'

/** `hash` is the one of the published file. */
export type Seal = { counter: number; at: Date; hash: Buffer }
export type SignedSeal = Seal & { keyId: string; mac: Buffer }

/** Belongs to the installation: it covers the logs of all workspaces and people. */
export async function findSeal(system: Db | Tx): Promise<SignedSeal | undefined> {
  const { rows } = await sql<SignedSeal>`select counter::int, at, hash, key_id as "keyId", mac from audit_seal`.execute(system)
  return rows[0]
}

export async function saveSeal(tx: Tx, { counter, at, hash, keyId, mac }: SignedSeal): Promise<void> {
  await sql`
    insert into audit_seal (counter, at, hash, key_id, mac) values (${counter}, ${at}, ${hash}, ${keyId}, ${mac})
    on conflict (only_one) do update set
      counter = excluded.counter,
      at = excluded.at,
      hash = excluded.hash,
      key_id = excluded.key_id,
      mac = excluded.mac`.execute(tx)
}

/** The ends that were reached after a time, of all workspaces and people. */
export async function listHeadsSince(tx: Tx, since: Date): Promise<SignedMark[]> {
  const { rows } = await sql<SignedMark>`
    select h.chain, h.position::int, h.hash, h.key_id as "keyId", h.mac
    from audit_head h
    join audit_link l on l.chain = h.chain and l.position = h.position
    where l.linked_at > ${since}
    order by h.chain`.execute(tx)
  return rows
}

/** What a log has at a position: the hash of the link there, whether its start is later, and whether it still belongs to anybody. */
export async function findLinkAt(
  system: Db,
  chain: string,
  position: number,
): Promise<{ hash: Buffer | null; isTrimmed: boolean; hasOwner: boolean }> {
  const { rows } = await sql<{ hash: Buffer | null; isTrimmed: boolean; hasOwner: boolean }>`
    select (select hash from audit_link where chain = ${chain} and position = ${position}) as hash,
      exists (select from audit_start where chain = ${chain} and position >= ${position}) as "isTrimmed",
      exists (select from workspace where id = ${chain}) or exists (select from person where id = ${chain}) as "hasOwner"`.execute(
    system,
  )
  return rows[0] ?? { hash: null, isTrimmed: false, hasOwner: false }
}
