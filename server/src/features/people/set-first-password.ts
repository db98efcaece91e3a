import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { newId } from '../../infra/db/ids.ts'
import { problem, type Detail } from '../../infra/problem/problem.ts'
import { hashPassword, isCommonPassword, passwordLengthMax, passwordLengthMin } from './passwords/hash-password.ts'
import { deleteVerifications } from './person.store.ts'
import { insertPassword, renamePerson } from './session.store.ts'

/** What is wrong with a new password, as a detail of `request_invalid`. Empty if nothing is. */
function findPasswordProblems(password: string): Detail[] {
  const message = passwordProblem(password)
  return message === null ? [] : [{ path: 'password', message }]
}

function passwordProblem(password: string): string | null {
  if (password.length < passwordLengthMin) return `Must have at least ${passwordLengthMin} characters.`
  if (password.length > passwordLengthMax) return `Must have at most ${passwordLengthMax} characters.`
  return isCommonPassword(password) ? 'This password is too common and easy to guess.' : null
}

type FirstPassword = { personId: string; name: string; password: string }

/** Gives a person who could not sign in yet a password and their own name. The caller has made sure that the address is theirs. */
export async function setFirstPassword(ctx: Context, tx: Tx, { personId, name, password }: FirstPassword): Promise<void> {
  const details = findPasswordProblems(password)
  if (details.length > 0) throw problem('request_invalid', { details })
  const nowMs = ctx.nowMs()
  await insertPassword(tx, { id: newId(nowMs), personId, hash: await hashPassword(password), at: new Date(nowMs) })
  await deleteVerifications(tx, personId)
  if (name.trim() !== '') await renamePerson(tx, personId, name.trim())
}
