import { isPlatform, type Platform } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { open } from '../../../infra/sealing/seal.ts'
import { findPlatformApp, type UsableApp } from './platform-apps.ts'
import { findWorkspaceApp, type WorkspaceAppRow } from './workspace-app.store.ts'

/** The app with which an account is connected, and whether it is one of the workspace. */
export type ConnectingApp = UsableApp & { isOwn: boolean }

/**
 * The app of a workspace for new accounts, or the one with this id. Like those of the installation it is read for every use, so that a change
 * takes effect at once in all processes.
 */
export async function findOwnApp(
  ctx: Context,
  which: { workspaceId: string; platform: string; clientId: string | null },
): Promise<ConnectingApp | null> {
  if (!allowsOwnApp(ctx, which.platform)) return null
  const row = await findWorkspaceApp(ctx.db.system, which)
  if (!row) return null
  const clientSecret = open(ctx.config.secretKeys, placeOf(row), row.client_secret_sealed)
  return { clientId: row.client_id, clientSecret, isVetted: false, isOwn: true }
}

/** Whether accounts of the platform can be connected in this workspace as far as apps are concerned. */
export async function hasApp(ctx: Context, workspaceId: string, platform: Platform): Promise<boolean> {
  const own = await findOwnApp(ctx, { workspaceId, platform, clientId: null })
  return own !== null || (await findPlatformApp(ctx, platform)) !== null
}

/** Whether a workspace may bring an app of its own. */
export function allowsOwnApp(ctx: Context, platform: string): boolean {
  if (!isPlatform(platform)) return false
  const { auth } = ctx.connectors[platform]
  return auth.kind === 'oauth2' && auth.allowsOwnApp === true
}

/** The place that a secret is sealed for. */
export function placeOf({
  workspace_id: workspaceId,
  platform,
  client_id: clientId,
}: Pick<WorkspaceAppRow, 'workspace_id' | 'platform' | 'client_id'>) {
  return { workspaceId, rowId: `${platform} ${clientId}`, column: 'client_secret' }
}
