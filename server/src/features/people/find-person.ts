import type { Db, Tx } from '../../infra/db/db.ts'
import { newId } from '../../infra/db/ids.ts'
import {
  type Person,
  deleteSignIns,
  findPersonByEmail,
  findPersonById,
  insertPerson,
  lockIsVerified,
  markVerified,
} from './person.store.ts'

export function findPerson(db: Db | Tx, id: string): Promise<Person | undefined> {
  return findPersonById(db, id)
}

/** The person with this address, created if there is none. */
export async function ensurePerson(system: Db | Tx, email: string, nowMs: number): Promise<Person> {
  const known = await findPersonByEmail(system, email)
  if (known) return known
  const person = { id: newId(nowMs), email, name: email.split('@')[0] ?? email }
  await insertPerson(system, { ...person, created_at: new Date(nowMs) })
  // Another request may have created the person first.
  return (await findPersonByEmail(system, email)) ?? person
}

/**
 * Called when a person opened a link that was mailed to their address: the address is confirmed. If it was not confirmed before, every
 * way to sign in that was set up earlier is deleted. Otherwise an attacker could sign up with a foreign address and keep access to the
 * account after its owner joins a workspace with it.
 */
export async function confirmAddress(tx: Tx, personId: string, { keepPassword = false } = {}): Promise<void> {
  if (await lockIsVerified(tx, personId)) return
  await deleteSignIns(tx, personId, { except: keepPassword ? 'credential' : null })
  await markVerified(tx, personId)
}
