import type { Db, Tx } from '../../infra/db/db.ts'
import { findPersonById, type Person } from './person.store.ts'

export function findPerson(db: Db | Tx, id: string): Promise<Person | undefined> {
  return findPersonById(db, id)
}
