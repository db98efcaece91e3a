import type { App, Connector } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import { open, seal } from '../../../infra/sealing/seal.ts'
import { deleteInstanceApp, findInstanceApp, markProven, saveInstanceApp, type InstanceAppKey } from './instance-app.store.ts'
import { openHttp } from '../open-client.ts'
import { redirectUrlOf } from './redirect-url-of.ts'

/** Instances delete registrations that were never used. After this time an unused one is registered again. */
const unprovenMs = 12 * 3_600_000

/** The developer app for a platform: the one in the configuration, or our registration at this instance. Null if there is none. */
export async function findApp(ctx: Context, connector: Connector, instanceUrl: string | null): Promise<App | null> {
  const { platform } = connector.manifest
  if (instanceUrl === null || !canRegister(connector)) return ctx.config.apps[platform] ?? null
  const row = await findInstanceApp(ctx.db.system, keyOf(ctx, platform, instanceUrl))
  const isUsable = row && (row.proven_at !== null || ctx.nowMs() - row.created_at.getTime() < unprovenMs)
  return isUsable
    ? {
        clientId: row.client_id,
        clientSecret: open(ctx.config.secretKeys, placeOf(platform, instanceUrl), row.client_secret_sealed),
      }
    : null
}

/** Like `findApp`, but registers an app at an instance where we have none. */
export async function ensureApp(ctx: Context, connector: Connector, instanceUrl: string | null): Promise<App | null> {
  const known = await findApp(ctx, connector, instanceUrl)
  const { auth, manifest } = connector
  if (known || instanceUrl === null || auth.kind !== 'oauth2' || !auth.register) return known
  const redirectUrl = redirectUrlOf(ctx, manifest.platform)
  const http = openHttp(ctx, connector, { instanceUrl, credentials: null })
  const app = await auth.register(http, { name: 'Carillon', redirectUrl, website: ctx.config.publicUrl })
  await saveInstanceApp(ctx.db.system, {
    platform: manifest.platform,
    instance_url: instanceUrl,
    redirect_url: redirectUrl,
    client_id: app.clientId,
    client_secret_sealed: seal(ctx.config.secretKeys, placeOf(manifest.platform, instanceUrl), app.clientSecret),
    proven_at: null,
    created_at: new Date(ctx.nowMs()),
  })
  return app
}

/** A sign-in with the app succeeded, so the instance will keep the registration. */
export async function markAppProven(ctx: Context, connector: Connector, instanceUrl: string | null, app: App): Promise<void> {
  if (instanceUrl === null || !canRegister(connector)) return
  await markProven(ctx.db.system, keyOf(ctx, connector.manifest.platform, instanceUrl), app.clientId, new Date(ctx.nowMs()))
}

/** The instance rejected the app, so the next sign-in registers a new one. */
export async function removeApp(ctx: Context, connector: Connector, instanceUrl: string | null): Promise<void> {
  if (instanceUrl === null || !canRegister(connector)) return
  await deleteInstanceApp(ctx.db.system, keyOf(ctx, connector.manifest.platform, instanceUrl))
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
