import type { Tx } from '../../infra/db/db.ts'
import { deleteSignIns, lockIsVerified, markVerified } from './person.store.ts'

/**
 * Somebody came with a link that went to this person's address, so the address is theirs. Whoever signed up with it before and could not
 * prove it loses what they set up: else they could wait there for the owner to bring a workspace along.
 */
export async function confirmAddress(tx: Tx, personId: string, { keepPassword = false } = {}): Promise<void> {
  if (await lockIsVerified(tx, personId)) return
  await deleteSignIns(tx, personId, { except: keepPassword ? 'credential' : null })
  await markVerified(tx, personId)
}
