import type { Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { denied, missing } from './errors.ts'

const managerPrefix = 'manager-'
const agencyPrefix = 'agency-'
const nobodyPrefix = 'nobody-'
const agencyBranches = 120
const branch = /-branch-\d+$/

/** The number of the business to which a location belongs: all branches of it have the same. */
export function businessIdOf(platform: string, handle: string): string {
  return accountNumber(platform, `business ${handle.replace(branch, '')}`, 20)
}

export function personIdOf(platform: string, handle: string): string {
  return accountNumber(platform, `person ${handle}`, 21)
}

/** A location is named with the account through which one may write to it. */
export function locationNameOf(platform: string, handle: string): string {
  return `accounts/${businessIdOf(platform, handle)}/locations/${accountNumber(platform, handle, 19)}`
}

/** The name in the newer API, which has no account in it. */
export function shortNameOf({ id }: Account): string {
  return id.slice(id.indexOf('locations/'))
}

/**
 * The locations that a person manages. In the simulator an account is a location, and the person with the same name manages it; a manager
 * has two of one business, an agency 120, and nobody has none.
 */
export function locationsOf(context: PlatformContext, { handle }: Account): Account[] {
  return handlesOf(handle).map((each) =>
    context.accounts.open(each, { id: () => locationNameOf(context.name, each), atMs: context.now() }),
  )
}

function handlesOf(handle: string): string[] {
  if (handle.startsWith(nobodyPrefix)) return []
  const business = handle.slice(handle.indexOf('-') + 1)
  const branches = (count: number) => Array.from({ length: count }, (_, at) => `${business}-branch-${at + 1}`)
  if (handle.startsWith(agencyPrefix)) return branches(agencyBranches)
  return handle.startsWith(managerPrefix) ? [business, ...branches(1)] : [handle]
}

/** Whether Google lets the owner post for the location: it must be verified. */
export function mayPost({ handle }: Account): boolean {
  return !handle.endsWith('-unverified')
}

/** The location in a path, if the person manages it. Other people's and unknown ones have different answers. */
export function requireLocation(context: PlatformContext, name: string, { account }: Session): Account {
  const own = locationsOf(context, account).find((each) => each.id === name || shortNameOf(each) === name)
  if (own) return own
  throw context.accounts.all().some((each) => each.id === name || shortNameOf(each) === name) ? denied() : missing()
}
