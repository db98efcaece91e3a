import { createHash } from 'node:crypto'
import type { App, Connector, OAuth2, PasswordAuth } from '@carillon/connectors'
import { type Platform, isPlatform, platforms } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { open, seal } from '../../../infra/sealing/seal.ts'
import { trimSlashes } from '../../../infra/text/trim-slashes.ts'
import { type UsableApp, findPlatformApp } from '../apps/platform-apps.ts'
import { type ConnectingApp, findOwnApp } from '../apps/find-own-app.ts'
import { openHttp } from '../open-client.ts'
import {
  type InstanceAppKey,
  type InstanceAppRow,
  findInstanceApp,
  findRegistration,
  insertInstanceApp,
  markProven,
  retireInstanceApp,
} from './instance-app.store.ts'

/** Instances delete registrations that were never used. After this time an unused one is registered again. */
const unprovenMs = 12 * 3_600_000

/**
 * The developer app for a platform, or our registration at this instance. With a client id it is the one with that id, even if there is a
 * newer one. Null if there is none.
 */
async function findApp(
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

type ConnectedWith = { workspace_id: string; instance_url: string | null; client_id: string | null; own_app: boolean }

/** The app with which an account was connected, or with which a sign-in has begun: only with that one its tokens can be renewed. */
export function findAppOf(ctx: Context, connector: Connector, row: ConnectedWith): Promise<UsableApp | null> {
  const { workspace_id: workspaceId, instance_url: instanceUrl, client_id: clientId, own_app: isOwn } = row
  return isOwn
    ? findOwnApp(ctx, { workspaceId, platform: connector.manifest.platform, clientId })
    : findApp(ctx, connector, instanceUrl, clientId)
}

/** The app for a new account: that of the workspace, or that of the installation. Registers one at an instance where we have none. */
export async function appForNew(
  ctx: Context,
  connector: Connector,
  { workspaceId, instanceUrl }: { workspaceId: string; instanceUrl: string | null },
): Promise<ConnectingApp | null> {
  const own = await findOwnApp(ctx, { workspaceId, platform: connector.manifest.platform, clientId: null })
  if (own) return own
  const app = await ensureApp(ctx, connector, instanceUrl)
  return app && { ...app, isOwn: false }
}

async function ensureApp(ctx: Context, connector: Connector, instanceUrl: string | null): Promise<UsableApp | null> {
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

type AuthKinds = { oauth2: OAuth2; password: PasswordAuth }

/** The connector of a platform that supports this kind of sign-in. Throws if there is none. */
export function requireConnector<Kind extends keyof AuthKinds>(
  ctx: Context,
  platform: string,
  kind: Kind,
): { connector: Connector; auth: AuthKinds[Kind] } {
  if (!isPlatform(platform)) throw problem('platform_not_found')
  const connector = ctx.connectors[platform]
  const { auth } = connector
  if (!isKind(auth, kind)) {
    const message = `${connector.manifest.name} is connected ${auth.kind === 'oauth2' ? 'on its own consent page' : 'with a password'}.`
    throw problem('request_invalid', { details: [{ path: 'platform', message }] })
  }
  return { connector, auth }
}

function isKind<Kind extends keyof AuthKinds>(auth: OAuth2 | PasswordAuth, kind: Kind): auth is AuthKinds[Kind] {
  return auth.kind === kind
}

/** The URL of the server that hosts the account, in the form that is stored; null for the platform's own server. */
export async function resolveInstance(ctx: Context, connector: Connector, given: string | undefined): Promise<string | null> {
  const { auth, origin, manifest } = connector
  if (!auth.perInstance) {
    if (given !== undefined) throw refused('request_invalid', `${manifest.name} has only one server; leave this field out.`)
    return null
  }
  if (given === undefined) {
    const configured = origin === null ? ctx.config.platformOrigins[manifest.platform] : null
    if (configured === undefined) throw refused('request_invalid', 'This field is required.')
    return configured
  }
  const url = readAddress(given)
  // As for every call with a token, plain HTTP is only for networks that the configuration allows; the connection itself checks that again.
  const verdict = await ctx.egress.checkUrl(url, { https: ctx.config.egressAllow.length === 0 })
  if (!verdict.ok) throw refused(verdict.code === 'bad_url' ? 'request_invalid' : 'url_refused', verdict.reason)
  const { origin: host, pathname } = verdict.url
  const instance = host + trimSlashes(pathname)
  return instance === origin ? null : instance
}

/** Users write `tower.example`, `https://tower.example/`, their whole handle, or the address of a WebSocket. */
export function readAddress(given: string): string {
  const text = given.trim().replace(/^ws(s?):\/\//i, 'http$1://')
  return text.includes('://') ? text : `https://${text.slice(text.lastIndexOf('@') + 1)}`
}

function refused(code: 'request_invalid' | 'url_refused', message: string) {
  return problem(code, { details: [{ path: 'instanceUrl', message }] })
}

/** Where a platform sends the browser back to. It is registered in the developer app. */
export function redirectUrlOf(ctx: Pick<Context, 'config'>, platform: string): string {
  const isNeutral = ctx.config.neutralCallbacks.includes(platform)
  return callbackUrl(ctx, isNeutral ? neutralName(platform) : platform)
}

export function callbackUrl({ config }: Pick<Context, 'config'>, name: string): string {
  return `${config.publicUrl}/integrations/${name}/callback`
}

/**
 * A word for the platform that does not name it, for consoles that refuse addresses with a platform's name. It is no secret. Each platform has
 * its own, so that an answer of one platform cannot be taken for that of another.
 */
function neutralName(platform: string): string {
  return `app-${createHash('sha256').update(`callback ${platform}`).digest('hex').slice(0, 8)}`
}

/** The platform of a callback address, by its name or by the word that stands for it. */
export function platformOfCallback(name: string): Platform | undefined {
  return isPlatform(name) ? name : platforms.find((platform) => neutralName(platform) === name)
}
