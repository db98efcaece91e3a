import { isPlatform, platforms, type BodyOf, type DeveloperApp, type developerApps, type Platform } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { Answer, type RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { seal } from '../../../infra/sealing/seal.ts'
import { redirectUrlOf } from '../connect/find-app.ts'
import { allowsOwnApp, placeOf } from './find-own-app.ts'
import { findPlatformApp } from './platform-apps.ts'
import {
  countOwnAppUse,
  deleteWorkspaceApps,
  listWorkspaceApps,
  putWorkspaceApp,
  type WorkspaceAppRow,
} from './workspace-app.store.ts'

export async function listOwnApps({ ctx, tx, principal: { workspaceId } }: RequestScope): Promise<DeveloperApp[]> {
  const [rows, accounts] = [await listWorkspaceApps(tx, workspaceId), await countOwnAppUse(tx, workspaceId)]
  return platforms
    .filter((platform) => allowsOwnApp(ctx, platform))
    .map((platform) => present(ctx, platform, { row: rows.find((each) => each.platform === platform), accounts }))
}

export async function saveOwnApp(
  { ctx, tx, principal: { workspaceId }, nowMs }: RequestScope,
  { platform, ...entered }: BodyOf<typeof developerApps.save>,
): Promise<Answer<DeveloperApp>> {
  requireAllowed(ctx, platform)
  // What is copied from a console often has a space or a line break at its end.
  const [clientId, clientSecret] = [entered.clientId.trim(), entered.clientSecret.trim()]
  await guardForeignApp(ctx, platform, clientId)
  const key = { workspace_id: workspaceId, platform, client_id: clientId }
  const client_secret_sealed = seal(ctx.config.secretKeys, placeOf(key), clientSecret)
  const row = { ...key, client_secret_sealed, entered_at: new Date(nowMs) }
  await putWorkspaceApp(tx, row)
  const accounts = await countOwnAppUse(tx, workspaceId)
  return new Answer(present(ctx, platform, { row, accounts }), { subjectId: platform })
}

export async function removeOwnApp({ ctx, tx, principal }: RequestScope, platform: string): Promise<Answer<null>> {
  requireAllowed(ctx, platform)
  await deleteWorkspaceApps(tx, principal.workspaceId, platform)
  return new Answer(null, { subjectId: platform })
}

/** Whose app it is could not be told any more, and the platform would count the calls of both together. */
async function guardForeignApp(ctx: Context, platform: Platform, clientId: string): Promise<void> {
  if ((await findPlatformApp(ctx, platform, clientId)) === null) return
  const message = 'This is the app of the installation, which is used already.'
  throw problem('request_invalid', { details: [{ path: 'clientId', message }] })
}

function requireAllowed(ctx: Context, platform: string): asserts platform is Platform {
  if (!isPlatform(platform)) throw problem('platform_not_found')
  if (allowsOwnApp(ctx, platform)) return
  const message = `Accounts of ${ctx.connectors[platform].manifest.name} cannot be connected with an app of a workspace.`
  throw problem('request_invalid', { details: [{ path: 'platform', message }] })
}

type Found = { row: Pick<WorkspaceAppRow, 'client_id' | 'entered_at'> | undefined; accounts: Map<string, number> }

function present(ctx: Context, platform: Platform, { row, accounts }: Found): DeveloperApp {
  const { auth } = ctx.connectors[platform]
  return {
    platform,
    clientId: row?.client_id ?? null,
    enteredAt: row?.entered_at.toISOString() ?? null,
    redirectUri: redirectUrlOf(ctx, platform),
    portalUrl: auth.kind === 'oauth2' ? (auth.portalUrl ?? null) : null,
    accounts: accounts.get(platform) ?? 0,
  }
}
