import { scopes as allScopes, type Scope } from '@carillon/contract'
import { scopesAllow } from '@carillon/core'
import type { KeyLimits } from '../../infra/http/principal.ts'
import { problem, type Detail } from '../../infra/problem/problem.ts'

type WantedLimits = { scopes?: readonly string[] | undefined; workspaceOnly?: boolean | undefined; expiresAt?: Date | undefined }

/**
 * The limits of a key that a caller makes: at most the caller's own. A limit that the request leaves out is that of the caller. A request
 * for more is refused, so that no client believes that its new key can do what it cannot.
 */
export function limitToMaker(maker: KeyLimits, wanted: WantedLimits): KeyLimits {
  const { scopes = maker.scopes, workspaceOnly = maker.workspaceOnly, expiresAt = maker.expiresAt } = wanted
  const details: Detail[] = []
  const missing = allScopes.filter((scope) => scopesAllow(scopes, scope) && !scopesAllow(maker.scopes, scope))
  if (missing.length > 0) details.push({ path: 'scopes', message: missingMessage(missing) })
  if (maker.workspaceOnly && !workspaceOnly)
    details.push({
      path: 'workspaceOnly',
      message: 'The key that you use works only in its own workspace, so this must be true.',
    })
  if (maker.expiresAt && expiresAt && expiresAt > maker.expiresAt)
    details.push({ path: 'expiresAt', message: `The key that you use expires earlier, at ${maker.expiresAt.toISOString()}.` })
  if (details.length > 0)
    throw problem('scope_missing', { message: 'An API key cannot make a key that may do more than itself.', details })
  return { scopes, workspaceOnly, expiresAt }
}

function missingMessage(missing: readonly Scope[]): string {
  return `The key that you use does not have ${new Intl.ListFormat('en-GB').format(missing)}.`
}
