import type { Auth, Connector } from '@carillon/connectors'
import type { PlatformInfo } from '@carillon/contract'
import type { Context } from '../../../context.ts'

/** How a person connects an account here, and whether this install is set up for it. */
export function connectMethod(ctx: Context, connector: Connector): PlatformInfo['connect'] {
  const { auth, manifest } = connector
  const available = isConfigured(ctx, connector)
  return {
    method: auth.kind,
    available,
    reason: available ? null : missingApp(manifest.platform),
    instance: instanceNeed(ctx, connector),
    fields: auth.kind === 'password' ? auth.fields.map((field) => ({ ...field })) : [],
  }
}

export function isConfigured(ctx: Context, { auth, manifest }: Connector): boolean {
  return !needsApp(auth) || ctx.config.apps[manifest.platform] !== undefined
}

/** Was the app of this install vetted for pages? Its tokens then know no profile. */
export function isVetted({ config }: Context, platform: string): boolean {
  return config.vettedApps.includes(platform)
}

export function missingApp(platform: string): string {
  return `Whoever runs this install has to register a developer app and set CARILLON_APP_${platform.toUpperCase().replaceAll('-', '_')}.`
}

function needsApp(auth: Auth): boolean {
  return auth.kind === 'oauth2' && !auth.register
}

function instanceNeed(ctx: Context, { auth, origin, manifest }: Connector): 'none' | 'optional' | 'required' {
  if (!auth.perInstance) return 'none'
  return origin === null && ctx.config.platformOrigins[manifest.platform] === undefined ? 'required' : 'optional'
}
