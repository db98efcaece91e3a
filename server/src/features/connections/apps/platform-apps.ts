import type { App } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { open, seal } from '../../../infra/sealing/seal.ts'
import {
  countAppUse,
  deletePlatformApps,
  deleteUnusedApps,
  listPlatformApps,
  putPlatformApp,
  type AppUse,
  type PlatformAppRow,
} from './platform-app.store.ts'

/** Where an app was named. Every simulated platform has one, so that a trial needs no set-up. */
type AppSource = 'environment' | 'stored' | 'simulator'

/** `isVetted`: the platform approved it for more permissions. Where these are for pages, its tokens cannot read the user's own profile. */
export type UsableApp = App & { isVetted: boolean }

/** An app without its secret, which is opened only where it is used. */
export type KnownApp = {
  clientId: string
  isVetted: boolean
  source: AppSource
  enteredAt: Date | null
  isReplaced: boolean
  openSecret(): string
}

const simulatedApp: App = { clientId: 'carillon', clientSecret: 'carillon' }

/**
 * The app of a platform that has one for all of its users, or the one with this id. Null if there is none. It is read for every use and
 * never cached, so that a change takes effect at once in all processes.
 */
export async function findPlatformApp(ctx: Context, platform: string, clientId: string | null = null): Promise<UsableApp | null> {
  const apps = await readPlatformApps(ctx, platform)
  const app = clientId === null ? apps[0] : apps.find((each) => each.clientId === clientId)
  return app ? toUsable(app) : null
}

export function toUsable({ clientId, isVetted, openSecret }: KnownApp): UsableApp {
  return { clientId, clientSecret: openSecret(), isVetted }
}

/** Every app of a platform, the one for new accounts first: that of the environment, the one an operator entered, that of the simulator. */
export async function readPlatformApps(ctx: Context, platform: string): Promise<KnownApp[]> {
  return appsOf(ctx, platform, await listPlatformApps(ctx.db.system, platform))
}

/** Like `readPlatformApps`, for all platforms with one query. */
export async function readAllPlatformApps(ctx: Context): Promise<(platform: string) => KnownApp[]> {
  const rows = await listPlatformApps(ctx.db.system, null)
  return (platform) => appsOf(ctx, platform, rows)
}

function appsOf({ config }: Context, platform: string, rows: readonly PlatformAppRow[]): KnownApp[] {
  const ofSettings = (app: App | undefined, source: AppSource): KnownApp[] =>
    app
      ? [
          {
            clientId: app.clientId,
            isVetted: config.vettedApps.includes(platform),
            source,
            enteredAt: null,
            isReplaced: false,
            openSecret: () => app.clientSecret,
          },
        ]
      : []
  const toKnown = (row: PlatformAppRow): KnownApp => ({
    clientId: row.client_id,
    isVetted: row.is_vetted,
    source: 'stored',
    enteredAt: row.entered_at,
    isReplaced: row.replaced_at !== null,
    openSecret: () => open(config.secretKeys, placeOf(row), row.client_secret_sealed),
  })
  const stored = rows.filter((row) => row.platform === platform)
  return [
    ...ofSettings(config.apps[platform], 'environment'),
    ...stored.filter((row) => row.replaced_at === null).map(toKnown),
    ...ofSettings(config.platformOrigins[platform] === undefined ? undefined : simulatedApp, 'simulator'),
    ...stored.filter((row) => row.replaced_at !== null).map(toKnown),
  ]
}

/** How many accounts of each platform were connected with which app. */
export function readAppUse(ctx: Context): Promise<AppUse[]> {
  return countAppUse(ctx.db.system)
}

/** Makes it the app for new accounts. Accounts that were connected with the one before are renewed with that one. */
export async function savePlatformApp(ctx: Context, tx: Tx, platform: string, app: UsableApp): Promise<void> {
  const { clientId, clientSecret, isVetted } = app
  await putPlatformApp(tx, {
    platform,
    client_id: clientId,
    client_secret_sealed: seal(ctx.config.secretKeys, placeOf({ platform, client_id: clientId }), clientSecret),
    is_vetted: isVetted,
    entered_at: new Date(ctx.nowMs()),
  })
  await deleteUnusedApps(tx, platform)
}

/** Removes the app and those that it replaced: whoever removes a secret wants it gone. False if there was none. */
export async function removePlatformApp(tx: Tx, platform: string): Promise<boolean> {
  return (await deletePlatformApps(tx, platform)) > 0
}

function placeOf({ platform, client_id: clientId }: Pick<PlatformAppRow, 'platform' | 'client_id'>) {
  return { workspaceId: '', rowId: `${platform} ${clientId}`, column: 'client_secret' }
}
