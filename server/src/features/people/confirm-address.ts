import type { Tx } from '../../infra/db/db.ts'
import { deleteSignIns, lockIsVerified, markVerified } from './person.store.ts'

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
