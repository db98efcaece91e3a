import type { Call } from '../../http/call.ts'
import { Refusal, type Reply } from '../../http/reply.ts'
import type { Session } from '../../platform.ts'
import type { Realm } from '../../state/platform-context.ts'
import { failure, refuseRest } from './errors.ts'
import { isPage } from './author.ts'

/** Versions are months, and end after about a year. This is the oldest that still lived when the facts were read. */
const oldestVersion = '202511'

type Handle = (call: Call, session: Session) => Reply

/** What every /rest call must bring, and what it counts against. Members of a self-serve app have a daily allowance; pages have none. */
export function versioned(realm: Realm, handle: Handle): Handle {
  return (call, session) => {
    const version = call.headers['linkedin-version']
    if (typeof version !== 'string' || !/^\d{6}$/.test(version))
      throw refuseRest(
        400,
        'VERSION_MISSING',
        'A version must be present. Please specify a version by adding the LinkedIn-Version header.',
      )
    if (version < oldestVersion) throw refuseRest(426, 'NONEXISTENT_VERSION', `Requested version ${version} is not active`)
    if (call.headers['x-restli-protocol-version'] !== '2.0.0')
      throw refuseRest(400, 'ILLEGAL_ARGUMENT', 'X-RestLi-Protocol-Version must be 2.0.0')
    if (!isPage(session.account)) charge(realm, session)
    return handle(call, session)
  }
}

function charge(realm: Realm, { account }: Session): void {
  for (const limit of ['requests', 'appRequests']) {
    if (realm.limits.charge(account, { limit, cost: 1 }, realm.now())?.exceeded === true) throw new Refusal(failure(429))
  }
}

export function requireScope({ token }: Session, ...either: string[]): void {
  if (token.scopes === undefined || either.some((scope) => token.scopes?.has(scope))) return
  throw new Refusal(failure(403))
}
