import { scopesToAsk, type Auth, type Connector } from '@carillon/connectors'
import type { PlatformInfo } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { redirectUrlOf } from './redirect-url-of.ts'

/** How a user connects an account of this platform, and whether this install is configured for it. */
export function connectMethod(ctx: Context, connector: Connector): PlatformInfo['connect'] {
  const { auth, manifest } = connector
  const available = isConfigured(ctx, connector)
  return {
    method: auth.kind,
    available,
    reason: available ? null : missingAppMessage(manifest.platform),
    instance: instanceRequirement(ctx, connector),
    fields: auth.kind === 'password' ? auth.fields.map((field) => ({ ...field })) : [],
    ...describeApp(ctx, connector),
    ...describeSimulator(ctx, manifest.platform),
  }
}

export function isConfigured(ctx: Context, { auth, manifest }: Connector): boolean {
  return !needsApp(auth) || ctx.config.apps[manifest.platform] !== undefined
}

/** The platform approved the app of this install for publishing to pages. Its tokens then cannot read the user's own profile. */
export function isVetted({ config }: Context, platform: string): boolean {
  return config.vettedApps.includes(platform)
}

export function missingAppMessage(platform: string): string {
  return `The operator of this install has to register a developer app and set ${appSetting(platform)}.`
}

function appSetting(platform: string): string {
  return `CARILLON_APP_${platform.toUpperCase().replaceAll('-', '_')}`
}

type AppFacts = Pick<PlatformInfo['connect'], 'redirectUri' | 'scopes' | 'setting' | 'portalUrl'>

/** What an operator needs to register a developer app. */
function describeApp(ctx: Context, { auth, manifest: { platform } }: Connector): AppFacts {
  if (auth.kind === 'password') return { redirectUri: null, scopes: [], setting: null, portalUrl: null }
  return {
    redirectUri: redirectUrlOf(ctx, platform),
    scopes: [...scopesToAsk(auth, isVetted(ctx, platform))],
    setting: needsApp(auth) ? appSetting(platform) : null,
    portalUrl: auth.portalUrl ?? null,
  }
}

function describeSimulator({ config }: Context, platform: string): Pick<PlatformInfo['connect'], 'simulated' | 'feedUrl'> {
  const origin = config.platformOrigins[platform]
  return { simulated: origin !== undefined, feedUrl: origin === undefined ? null : `${new URL(origin).origin}/feed/${platform}` }
}

function needsApp(auth: Auth): boolean {
  return auth.kind === 'oauth2' && !auth.register
}

function instanceRequirement(ctx: Context, { auth, origin, manifest }: Connector): 'none' | 'optional' | 'required' {
  if (!auth.perInstance) return 'none'
  return origin === null && ctx.config.platformOrigins[manifest.platform] === undefined ? 'required' : 'optional'
}
