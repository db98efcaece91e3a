import { authorizeUrl, type App, type OAuth2 } from '@carillon/connectors'
import type { BodyOf, ReturnsOf } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { insertFlow } from './connect-flow.store.ts'
import { explainRefusal } from './explain-refusal.ts'
import { challengeOf, hashOf, newSecretWord, sealVerifier } from './connect-state.ts'
import { findConnection } from '../connection.store.ts'
import { ensureApp, redirectUrlOf } from './find-app.ts'
import { findConnector } from '../find-connector.ts'
import type { integrations } from './integrations.ts'
import { isVetted, missingApp } from './connect-method.ts'
import { resolveInstance } from './resolve-instance.ts'

const lastsMs = 10 * 60_000

type Wanted = BodyOf<typeof integrations.start>
export type Way = { platform: string; auth: OAuth2; app: App; instanceUrl: string | null }

/** Finds out where to send the person; at an instance nobody came from yet, that means registering there first. */
export async function prepareConnect(ctx: Context, platform: string, { instanceUrl: given }: Wanted): Promise<Way> {
  const { connector, auth } = findConnector(ctx, platform, 'oauth2')
  const instanceUrl = await resolveInstance(ctx, connector, given)
  const app = await ensureApp(ctx, connector, instanceUrl).catch(explainRefusal)
  if (!app) throw problem('platform_not_configured', { message: missingApp(platform) })
  return { platform, auth, app, instanceUrl }
}

/** Remembers who is on the way for which workspace. The state is the only thread back to it. */
export async function startConnect(
  { ctx, tx, principal, nowMs }: RequestScope,
  { platform, auth, app, instanceUrl }: Way,
  { connectionId, returnTo }: Wanted,
): Promise<ReturnsOf<typeof integrations.start>> {
  const { workspaceId, personId } = principal
  if (connectionId !== undefined && !(await findConnection(tx, workspaceId, connectionId))) throw problem('connection_not_found')
  const state = newSecretWord()
  const stateHash = hashOf(state)
  const verifier = auth.pkce ? newSecretWord() : null
  const expiresAt = new Date(nowMs + lastsMs)
  const row = {
    workspace_id: workspaceId,
    state_hash: stateHash,
    person_id: personId,
    by_session: principal.apiKeyId === null,
    platform,
    instance_url: instanceUrl,
    verifier_sealed: verifier === null ? null : sealVerifier(ctx, { workspaceId, stateHash }, verifier),
    connection_id: connectionId ?? null,
    return_to: returnTo ?? null,
    expires_at: expiresAt,
  }
  await insertFlow(tx, row, new Date(nowMs))
  const url = authorizeUrl({
    auth,
    origin: instanceUrl ?? ctx.config.platformOrigins[platform] ?? null,
    app,
    redirectUrl: redirectUrlOf(ctx, platform),
    state,
    codeChallenge: verifier === null ? null : challengeOf(verifier),
    isVetted: isVetted(ctx, platform),
  })
  return { authorizeUrl: url, expiresAt: expiresAt.toISOString() }
}
