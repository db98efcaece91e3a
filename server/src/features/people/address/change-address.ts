import type { Tx } from '../../../infra/db/db.ts'
import { deleteVerifications } from '../person.store.ts'
import { deleteSessions } from '../session.store.ts'
import { updateAddress } from './address.store.ts'

type Change = { personId: string; email: string; isProven: boolean; keptSession: string | null }

/**
 * Gives a person another address. Every other session ends, and so does every link that was mailed to the earlier address: whoever reads that
 * mailbox must not be able to set a password with it.
 */
export async function changeAddress(tx: Tx, { personId, email, isProven, keptSession }: Change): Promise<void> {
  await updateAddress(tx, { personId, email, isProven })
  await deleteVerifications(tx, personId)
  await deleteSessions(tx, personId, { except: keptSession })
}
