import type { Context } from '../../../context.ts'
import { StartError } from '../../../infra/problem/problem.ts'
import { findPersonByEmail, isVerified } from '../person.store.ts'
import { setOperator } from './operator.store.ts'

/** Makes a person the operator of this installation, in place of the one before. Only a command does this, never a request. */
export async function nameOperator(ctx: Context, email: string): Promise<{ personId: string; email: string }> {
  const { system } = ctx.db
  const person = await findPersonByEmail(system, email)
  if (!person)
    throw new StartError(
      `No person has the address ${email}. Invite them to a workspace, or create them with "carillon setup --email ${email}".`,
    )
  // Somebody else may have signed up with this address.
  if (!(await isVerified(system, person.id)))
    throw new StartError(
      `${person.email} has not confirmed this address. Give them the link that "carillon sign-in-link ${person.email}" prints.`,
    )
  await setOperator(system, person.id)
  return { personId: person.id, email: person.email }
}
