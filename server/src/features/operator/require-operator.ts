import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { sessionCookie } from '../people/cookies/session-cookie.ts'
import { findPerson } from '../people/find-person.ts'
import { findSessionHolder } from '../people/find-session-holder.ts'
import { findOperator } from '../people/operator/operator.store.ts'
import { isVerified } from '../people/person.store.ts'

/** Whether the person who is signed in is an operator of this installation. */
export async function isOperator(ctx: Context, request: FastifyRequest): Promise<boolean> {
  return (await findRequestingOperator(ctx, request)) !== null
}

/** Their id, or null if they are signed in and no operator. */
async function findRequestingOperator(ctx: Context, request: FastifyRequest): Promise<string | null> {
  const cookie = sessionCookie(ctx.config, request.headers.cookie)
  const holder = cookie === null ? undefined : await findSessionHolder(ctx, cookie, null)
  if (!holder) throw problem('session_ended')
  const { system } = ctx.db
  const { operators } = ctx.config
  if (operators.length === 0) return (await findOperator(system)) === holder.personId ? holder.personId : null
  const person = await findPerson(system, holder.personId)
  const isListed = operators.some((email) => email.toLowerCase() === person?.email.toLowerCase())
  // An address that is not confirmed may belong to another person.
  return isListed && (await isVerified(system, holder.personId)) ? holder.personId : null
}

/** The id of the operator who asks. */
export async function requireOperator(ctx: Context, request: FastifyRequest): Promise<string> {
  const personId = await findRequestingOperator(ctx, request)
  if (personId !== null) return personId
  throw problem('role_forbidden', { message: 'Only the operators of this installation can do this; see CARILLON_OPERATORS.' })
}
