import type { Role } from '@carillon/contract'
import { roleAllows } from '@carillon/core'
import { problem } from '../../infra/problem/problem.ts'

/** Nobody makes, changes or removes somebody above themselves. */
export function guardRole(own: Role, other: Role): void {
  if (!roleAllows(own, other))
    throw problem('role_forbidden', {
      message: `Only somebody with the role ${other} or above can do this; yours here is ${own}.`,
    })
}
