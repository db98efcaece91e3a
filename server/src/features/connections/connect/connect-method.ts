import type { Auth, Connector } from '@carillon/connectors'
import type { PlatformInfo } from '@carillon/contract'
import type { Context } from '../../../context.ts'

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
  return `The operator of this install has to register a developer app and set CARILLON_APP_${platform.toUpperCase().replaceAll('-', '_')}.`
}

function needsApp(auth: Auth): boolean {
  return auth.kind === 'oauth2' && !auth.register
}

function instanceRequirement(ctx: Context, { auth, origin, manifest }: Connector): 'none' | 'optional' | 'required' {
  if (!auth.perInstance) return 'none'
  return origin === null && ctx.config.platformOrigins[manifest.platform] === undefined ? 'required' : 'optional'
}
