import type { Context } from '../../../context.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { StartError } from '../../../infra/problem/start-error.ts'
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import { findPersonByEmail } from '../person.store.ts'
import { sendAddressChanged } from './address-mails.ts'
import { isAddressTaken } from './address.store.ts'
import { changeAddress } from './change-address.ts'
import { isAddress } from './is-address.ts'

export type AssignedAddress = { personId: string; from: string; to: string }

/**
 * Changes a person's address without a mail to the new one. The operator made sure that it is theirs. Signs the person out everywhere, because
 * this is also how they get their account back. An address that was never confirmed stays so.
 */
export async function assignAddress(ctx: Context, { from, to }: { from: string; to: string }): Promise<AssignedAddress> {
  const email = to.trim().toLowerCase()
  if (!isAddress(email)) throw new StartError(`${to} is not an e-mail address.`)
  const person = await findPersonByEmail(ctx.db.system, from)
  if (!person) throw new StartError(`No person has the address ${from}.`)
  const origin = { ipAddress: null, userAgent: null, traceId: newUuid() }
  const detail = `${person.email} → ${email}`
  await ctx.db.system
    .transaction()
    .execute(async (tx) => {
      await changeAddress(tx, { personId: person.id, email, isProven: false, keptSession: null })
      await recordAccountEvent(ctx, tx, { personId: person.id, action: 'address.assign', detail, ...origin })
    })
    .catch((error: unknown) => {
      throw isAddressTaken(error) ? new StartError(`Another person has the address ${email}.`) : error
    })
  await sendAddressChanged(ctx, person.email)
  return { personId: person.id, from: person.email, to: email }
}
