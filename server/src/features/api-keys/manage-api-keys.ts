import {
  duplicateRules,
  scopes as allScopes,
  type ApiKey,
  type BodyOf,
  type PostingLimits,
  type Scope,
  type workspaces,
} from '@carillon/contract'
import { callerHasScope, hoursInclude, scopesAllow } from '@carillon/core'
import { isUuid, newUuid } from '../../infra/db/ids.ts'
import type { KeyLimits, Principal } from '../../infra/http/principal.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem, type Detail } from '../../infra/problem/problem.ts'
import { findPerson } from '../people/find-person.ts'
import { deleteApiKey, deleteApiKeysOf, insertApiKey, listApiKeys, listKnownSlugs } from './api-key.store.ts'
import { keyHash, keyPrefix, newApiKey } from './api-key.ts'
import { clearKeyCache } from './find-key-holder.ts'

type NewKey = BodyOf<typeof workspaces.createApiKey>

type WantedLimits = {
  scopes?: readonly string[] | undefined
  workspaceOnly?: boolean | undefined
  expiresAt?: Date | undefined
  posting?: PostingLimits | undefined
  isAgent: boolean
}

/** Creates a key that acts as the caller and may do at most what the caller may. Only this answer contains the whole key. */
export async function createApiKey(
  scope: RequestScope,
  { label, scopes, expiresAt, workspaceOnly, limits: posting, workspacesMax, agent: isAgent = false }: NewKey,
): Promise<Answer<ApiKey>> {
  if (expiresAt && Date.parse(expiresAt) <= scope.nowMs) {
    throw problem('request_invalid', { details: [{ path: 'expiresAt', message: 'Must be in the future.' }] })
  }
  await checkLimits(scope, posting, workspaceOnly)
  const limits = limitToMaker(scope.principal, {
    scopes,
    workspaceOnly,
    posting,
    isAgent,
    expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
  })
  if (workspacesMax !== undefined) checkWorkspacesMax(limits)
  const key = newApiKey()
  const row = {
    workspace_id: scope.principal.workspaceId,
    id: newUuid(),
    person_id: scope.principal.personId,
    label,
    prefix: keyPrefix(key),
    scopes: limits.scopes && [...limits.scopes],
    workspace_only: limits.workspaceOnly,
    expires_at: limits.expiresAt,
    limits: limits.posting,
    agent: limits.isAgent,
    workspaces_max: workspacesMax ?? null,
    workspaces_created: 0,
    created_at: new Date(scope.nowMs),
  }
  await insertApiKey(scope.tx, { ...row, limits: row.limits && JSON.stringify(row.limits), hash: keyHash(key) })
  const createdBy = await findPerson(scope.tx, scope.principal.personId)
  const { name, email } = createdBy ?? { name: null, email: null }
  const withoutSecret = presentKey({ ...row, last_used_at: null, name, email })
  return new Answer({ ...withoutSecret, key }, { subjectId: row.id, withoutSecret })
}

/** A key that may manage workspaces could make further keys, each with a number of its own. */
function checkWorkspacesMax({ scopes, workspaceOnly }: KeyLimits): void {
  const refuse = (path: string, message: string) => problem('request_invalid', { details: [{ path, message }] })
  if (scopes === null || !scopesAllow(scopes, 'workspaces:create'))
    throw refuse('scopes', 'A key with workspacesMax needs a list of scopes with workspaces:create.')
  if (scopesAllow(scopes, 'workspaces:write'))
    throw refuse('scopes', 'A key with workspacesMax cannot have workspaces:write: it could make further keys.')
  if (workspaceOnly) throw refuse('workspaceOnly', 'A key that creates workspaces works in all of them, so this must be false.')
}

/** What the schema cannot say about limits. */
async function checkLimits(
  { tx, principal }: RequestScope,
  limits: PostingLimits | undefined,
  workspaceOnly?: boolean,
): Promise<void> {
  if (!limits) return
  const { connections = [], hours } = limits
  const known = connections.length === 0 ? [] : await listKnownSlugs(tx, principal.workspaceId, connections)
  const unknown = connections.flatMap((slug, index) =>
    known.includes(slug) ? [] : [{ slug, path: `limits.connections[${index}]` }],
  )
  if (unknown.length > 0) {
    const details = unknown.map(({ slug, path }) => ({ path, message: `The workspace has no connection "${slug}".` }))
    throw problem('connection_unknown', { message: details.map(({ message }) => message).join(' '), details })
  }
  const wrong = [
    ...(hours && hours.from === hours.to ? [{ path: 'limits.hours', message: 'The two times must differ.' }] : []),
    // Accounts, days and hours are those of one workspace.
    ...(workspaceOnly === false && Object.keys(limits).length > 0
      ? [{ path: 'workspaceOnly', message: 'A key with limits works in one workspace only, so this must be true.' }]
      : []),
  ]
  if (wrong.length > 0) throw problem('request_invalid', { details: wrong })
}

export async function listKeys({ tx, principal }: RequestScope): Promise<ApiKey[]> {
  return (await listApiKeys(tx, principal.workspaceId)).map(presentKey)
}

export async function revokeApiKey({ ctx, tx, principal, afterCommit }: RequestScope, keyId: string): Promise<Answer<null>> {
  if (!isUuid(keyId) || !(await deleteApiKey(tx, principal.workspaceId, keyId))) throw problem('api_key_not_found')
  afterCommit(() => clearKeyCache(ctx))
  return new Answer(null, { subjectId: keyId })
}

/** Revokes the keys that a person created here, when their membership ends. */
export async function revokeKeysOf({ ctx, tx, principal, afterCommit }: RequestScope, personId: string): Promise<void> {
  await deleteApiKeysOf(tx, principal.workspaceId, personId)
  afterCommit(() => clearKeyCache(ctx))
}

type Row = {
  id: string
  prefix: string
  label: string
  scopes: string[] | null
  workspace_only: boolean
  expires_at: Date | null
  limits: PostingLimits | null
  agent: boolean
  workspaces_max: number | null
  workspaces_created: number
  created_at: Date
  last_used_at: Date | null
  person_id: string
  name: string | null
  email: string | null
}

function presentKey(row: Row): ApiKey {
  return {
    id: row.id,
    prefix: row.prefix,
    label: row.label,
    scopes: row.scopes,
    workspaceOnly: row.workspace_only,
    expiresAt: row.expires_at?.toISOString() ?? null,
    limits: row.limits,
    agent: row.agent,
    ...(row.workspaces_max !== null && { workspaces: { max: row.workspaces_max, created: row.workspaces_created } }),
    createdAt: row.created_at.toISOString(),
    createdBy: row.name === null || row.email === null ? null : { userId: row.person_id, name: row.name, email: row.email },
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }
}

/**
 * The limits of a key that a caller makes: at most the caller's own. A limit that the request leaves out is that of the caller. A request
 * for more is refused, so that no client believes that its new key can do what it cannot.
 */
function limitToMaker({ apiKeyId, limits: maker }: Pick<Principal, 'apiKeyId' | 'limits'>, wanted: WantedLimits): KeyLimits {
  const { expiresAt = maker.expiresAt } = wanted
  // What a key makes is no less an agent than the key.
  const isAgent = wanted.isAgent || maker.isAgent
  const scopes = isAgent ? scopesOfAgent(wanted.scopes, { apiKeyId, scopes: maker.scopes }) : (wanted.scopes ?? maker.scopes)
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
  return { scopes, workspaceOnly, expiresAt, posting, isAgent }
}

/** With these a program would approve what it wrote, change the rule that holds it, or make a key or a member that no rule holds. */
const closedToAgents: readonly Scope[] = ['content:approve', 'workspaces:write']

/** The scopes of an agent's key are always named, so that no later scope comes to it by itself. */
function scopesOfAgent(
  wanted: readonly string[] | undefined,
  maker: { apiKeyId: string | null; scopes: readonly string[] | null },
): readonly string[] {
  const unasked: readonly Scope[] = [...closedToAgents, 'workspaces:create']
  if (!wanted) return allScopes.filter((each) => !unasked.includes(each) && callerHasScope(maker, each))
  const closed = closedToAgents.filter((each) => scopesAllow(wanted, each))
  if (closed.length === 0) return wanted
  const message = `A key of an agent cannot have ${new Intl.ListFormat('en-GB').format(closed)}: it could free itself from approvals.`
  throw problem('request_invalid', { details: [{ path: 'scopes', message }] })
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
