import type { Db, Tx } from '../../infra/db/db.ts'
import { newId } from '../../infra/db/ids.ts'
import { findPersonByEmail, insertPerson, type Person } from './person.store.ts'

/** The person with this address, created if there is none. */
export async function ensurePerson(system: Db | Tx, email: string, nowMs: number): Promise<Person> {
  const known = await findPersonByEmail(system, email)
  if (known) return known
  const person = { id: newId(nowMs), email, name: email.split('@')[0] ?? email }
  await insertPerson(system, { ...person, created_at: new Date(nowMs) })
  // Another request may have created the person first.
  return (await findPersonByEmail(system, email)) ?? person
}
