import type { App, Connector } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import { open, seal } from '../../../infra/sealing/seal.ts'
import {
  findInstanceApp,
  findRegistration,
  insertInstanceApp,
  markProven,
  retireInstanceApp,
  type InstanceAppKey,
  type InstanceAppRow,
} from './instance-app.store.ts'
import { findPlatformApp, type UsableApp } from '../apps/platform-apps.ts'
import { openHttp } from '../open-client.ts'
import { redirectUrlOf } from './redirect-url-of.ts'

/** Instances delete registrations that were never used. After this time an unused one is registered again. */
const unprovenMs = 12 * 3_600_000

/**
 * The developer app for a platform, or our registration at this instance. With a client id it is the one with that id, even if there is a
 * newer one. Null if there is none.
 */
export async function findApp(
  ctx: Context,
  connector: Connector,
  instanceUrl: string | null,
  clientId: string | null = null,
): Promise<UsableApp | null> {
  const { platform } = connector.manifest
  if (instanceUrl === null || !canRegister(connector)) return findPlatformApp(ctx, platform, clientId)
  const row =
    clientId === null
      ? await findUsable(ctx, keyOf(ctx, platform, instanceUrl))
      : await findRegistration(ctx.db.system, { platform, instanceUrl, clientId })
  if (!row) return null
  const clientSecret = open(ctx.config.secretKeys, placeOf(platform, instanceUrl), row.client_secret_sealed)
  return { clientId: row.client_id, clientSecret, isVetted: false }
}

async function findUsable(ctx: Context, key: InstanceAppKey): Promise<InstanceAppRow | undefined> {
  const row = await findInstanceApp(ctx.db.system, key)
  return row && (row.proven_at !== null || ctx.nowMs() - row.created_at.getTime() < unprovenMs) ? row : undefined
}

/** Like `findApp`, but registers an app at an instance where we have none. */
export async function ensureApp(ctx: Context, connector: Connector, instanceUrl: string | null): Promise<UsableApp | null> {
  const known = await findApp(ctx, connector, instanceUrl)
  const { auth, manifest } = connector
  if (known || instanceUrl === null || auth.kind !== 'oauth2' || !auth.register) return known
  const redirectUrl = redirectUrlOf(ctx, manifest.platform)
  const http = openHttp(ctx, connector, { instanceUrl, credentials: null })
  const app = await auth.register(http, { name: ctx.config.operator.name, redirectUrl, website: ctx.config.publicUrl })
  const createdAt = new Date(ctx.nowMs())
  await retireInstanceApp(ctx.db.system, keyOf(ctx, manifest.platform, instanceUrl), {
    unprovenBefore: new Date(ctx.nowMs() - unprovenMs),
  })
  await insertInstanceApp(ctx.db.system, {
    platform: manifest.platform,
    instance_url: instanceUrl,
    redirect_url: redirectUrl,
    client_id: app.clientId,
    client_secret_sealed: seal(ctx.config.secretKeys, placeOf(manifest.platform, instanceUrl), app.clientSecret),
    proven_at: null,
    created_at: createdAt,
  })
  // Another request may have registered an app at the same time; then all use that one.
  return findApp(ctx, connector, instanceUrl)
}

/** A sign-in with the app succeeded, so the instance will keep the registration. */
export async function markAppProven(ctx: Context, connector: Connector, instanceUrl: string | null, app: App): Promise<void> {
  if (instanceUrl === null || !canRegister(connector)) return
  await markProven(ctx.db.system, keyOf(ctx, connector.manifest.platform, instanceUrl), app.clientId, new Date(ctx.nowMs()))
}

/** The instance does not know the app any more, so the next sign-in registers a new one. What was made with the old one still names it. */
export async function retireApp(ctx: Context, connector: Connector, instanceUrl: string | null, app: App): Promise<void> {
  if (instanceUrl === null || !canRegister(connector)) return
  await retireInstanceApp(ctx.db.system, keyOf(ctx, connector.manifest.platform, instanceUrl), { clientId: app.clientId })
}

function canRegister({ auth }: Connector): boolean {
  return auth.kind === 'oauth2' && auth.register !== undefined
}

function keyOf(ctx: Context, platform: string, instanceUrl: string): InstanceAppKey {
  return { platform, instanceUrl, redirectUrl: redirectUrlOf(ctx, platform) }
}

function placeOf(platform: string, instanceUrl: string) {
  return { workspaceId: '', rowId: `${platform} ${instanceUrl}`, column: 'client_secret' }
}
