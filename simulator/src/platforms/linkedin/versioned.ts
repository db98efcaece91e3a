import type { Call } from '../../http/call.ts'
import { Refusal, type Reply } from '../../http/reply.ts'
import type { Session } from '../../platform.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { isPage } from './author.ts'
import { failure, refuseRest } from './errors.ts'

/** Versions are months and are retired after about a year. This was the oldest active one when this was written. */
const oldestVersion = '202511'

type Handle = (call: Call, session: Session) => Reply

/** Checks the headers every /rest call needs, and charges the daily limit, which applies to members and not to pages. */
export function versioned(context: PlatformContext, handle: Handle): Handle {
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
    if (!isPage(session.account)) charge(context, session)
    return handle(call, session)
  }
}

function charge(context: PlatformContext, { account }: Session): void {
  for (const limit of ['requests', 'appRequests']) {
    if (context.limits.charge(account, { limit, cost: 1 }, context.now())?.exceeded === true) throw new Refusal(failure(429))
  }
}

/** One of the scopes is enough. */
export function requireScope({ token }: Session, ...scopes: string[]): void {
  if (token.scopes === undefined || scopes.some((scope) => token.scopes?.has(scope))) return
  throw new Refusal(failure(403))
}
