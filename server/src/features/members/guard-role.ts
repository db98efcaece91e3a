import type { Role } from '@carillon/contract'
import { roleAllows } from '@carillon/core'
import { problem } from '../../infra/problem/problem.ts'

/** A member cannot add, change or remove a member with a higher role than their own. */
export function guardRole(own: Role, other: Role): void {
  if (!roleAllows(own, other))
    throw problem('role_forbidden', {
      message: `This needs the role ${other} or a higher one; yours here is ${own}.`,
    })
}
