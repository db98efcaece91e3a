import { duplicateRules, scopes as allScopes, type PostingLimits, type Scope } from '@carillon/contract'
import { callerHasScope, hoursInclude, scopesAllow } from '@carillon/core'
import type { KeyLimits, Principal } from '../../infra/http/principal.ts'
import { problem, type Detail } from '../../infra/problem/problem.ts'

type WantedLimits = {
  scopes?: readonly string[] | undefined
  workspaceOnly?: boolean | undefined
  expiresAt?: Date | undefined
  posting?: PostingLimits | undefined
}

/**
 * The limits of a key that a caller makes: at most the caller's own. A limit that the request leaves out is that of the caller. A request
 * for more is refused, so that no client believes that its new key can do what it cannot.
 */
export function limitToMaker(
  { apiKeyId, limits: maker }: Pick<Principal, 'apiKeyId' | 'limits'>,
  wanted: WantedLimits,
): KeyLimits {
  const { scopes = maker.scopes, expiresAt = maker.expiresAt } = wanted
  const merged = { ...maker.posting, ...wanted.posting }
  const posting = Object.keys(merged).length > 0 ? merged : null
  // The accounts, days and hours of a limit are those of one workspace.
  const { workspaceOnly = maker.workspaceOnly || posting !== null } = wanted
  const details: Detail[] = []
  const isMore = (scope: Scope) =>
    callerHasScope({ apiKeyId: 'new', scopes }, scope) && !callerHasScope({ apiKeyId, scopes: maker.scopes }, scope)
  const missing = allScopes.filter(isMore)
  if (missing.length > 0) details.push({ path: 'scopes', message: missingMessage(missing) })
  if (maker.workspaceOnly && !workspaceOnly)
    details.push({
      path: 'workspaceOnly',
      message: 'The key that you use works only in its own workspace, so this must be true.',
    })
  if (maker.expiresAt && expiresAt && expiresAt > maker.expiresAt)
    details.push({ path: 'expiresAt', message: `The key that you use expires earlier, at ${maker.expiresAt.toISOString()}.` })
  if (maker.posting && posting) details.push(...widerLimits(maker.posting, posting))
  // Each key counts its own posts, so many keys with the same number would together release more than their maker may.
  if (maker.posting?.postsPerDay !== undefined && scopesAllow(scopes, 'content:publish'))
    details.push({
      path: 'scopes',
      message: 'The key that you use has a number of posts a day, so it can make only keys without content:publish.',
    })
  if (details.length > 0)
    throw problem('scope_missing', { message: 'An API key cannot make a key that may do more than itself.', details })
  return { scopes, workspaceOnly, expiresAt, posting }
}

function widerLimits(maker: PostingLimits, wanted: PostingLimits): Detail[] {
  const details: Detail[] = []
  const others = wanted.connections?.filter((slug) => maker.connections?.includes(slug) === false) ?? []
  if (others.length > 0)
    details.push({ path: 'limits.connections', message: `The key that you use may not publish to ${others.join(', ')}.` })
  if (maker.postsPerDay !== undefined && (wanted.postsPerDay ?? 0) > maker.postsPerDay)
    details.push({ path: 'limits.postsPerDay', message: `The key that you use may release ${maker.postsPerDay} posts a day.` })
  if (maker.hours && wanted.hours && !hoursInclude(maker.hours, wanted.hours))
    details.push({
      path: 'limits.hours',
      message: `The key that you use may publish from ${maker.hours.from} until ${maker.hours.to}.`,
    })
  if (
    maker.onDuplicate &&
    wanted.onDuplicate &&
    duplicateRules.indexOf(wanted.onDuplicate) < duplicateRules.indexOf(maker.onDuplicate)
  )
    details.push({ path: 'limits.onDuplicate', message: 'The key that you use may not repeat a text.' })
  return details
}

function missingMessage(missing: readonly Scope[]): string {
  return `The key that you use does not have ${new Intl.ListFormat('en-GB').format(missing)}.`
}
