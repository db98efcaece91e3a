import { type Auth, type Connector, PlatformError, scopesToAsk } from '@carillon/connectors'
import { appSetting, type PlatformInfo } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { problem } from '../../../infra/problem/problem.ts'
import type { KnownApp } from '../apps/platform-apps.ts'
import { redirectUrlOf } from './find-app.ts'

/** How a user connects an account of this platform, and whether this install has the app for it. */
export function connectMethod(ctx: Context, connector: Connector, app: KnownApp | undefined): PlatformInfo['connect'] {
  const { auth, manifest } = connector
  const available = !needsApp(auth) || app !== undefined
  return {
    method: auth.kind,
    available,
    reason: available ? null : missingAppMessage(manifest.platform),
    instance: instanceRequirement(ctx, connector),
    fields: auth.kind === 'password' ? auth.fields.map((field) => ({ ...field })) : [],
    ...describeApp(ctx, connector, app?.isVetted ?? false),
    ...describeSimulator(ctx, manifest.platform),
  }
}

export function missingAppMessage(platform: string): string {
  return `The operator of this install has to register a developer app and enter it under Settings → Platforms, or set ${appSetting(platform)}.`
}

type AppFacts = Pick<PlatformInfo['connect'], 'redirectUri' | 'scopes' | 'setting' | 'portalUrl'>

/** What an operator needs to register a developer app. */
function describeApp(ctx: Context, { auth, manifest: { platform } }: Connector, isVetted: boolean): AppFacts {
  if (auth.kind === 'password') return { redirectUri: null, scopes: [], setting: null, portalUrl: null }
  return {
    redirectUri: redirectUrlOf(ctx, platform),
    scopes: [...scopesToAsk(auth, isVetted)],
    setting: needsApp(auth) ? appSetting(platform) : null,
    portalUrl: auth.portalUrl ?? null,
  }
}

function describeSimulator({ config }: Context, platform: string): Pick<PlatformInfo['connect'], 'simulated' | 'feedUrl'> {
  const origin = config.platformOrigins[platform]
  return { simulated: origin !== undefined, feedUrl: origin === undefined ? null : `${new URL(origin).origin}/feed/${platform}` }
}

export function needsApp(auth: Auth): boolean {
  return auth.kind === 'oauth2' && !auth.register
}

function instanceRequirement(ctx: Context, { auth, origin, manifest }: Connector): 'none' | 'optional' | 'required' {
  if (!auth.perInstance) return 'none'
  return origin === null && ctx.config.platformOrigins[manifest.platform] === undefined ? 'required' : 'optional'
}

/** Turns a platform's error into the answer for the user: `connect_refused` if it refused us, `unavailable` if it may work later. */
export function throwConnectProblem(error: unknown): never {
  if (!(error instanceof PlatformError)) throw error
  const { kind, message, retryAfterMs } = error
  if (kind === 'auth' || kind === 'rejected' || kind === 'gone') throw problem('connect_refused', { message, cause: error })
  throw problem('unavailable', {
    message,
    cause: error,
    ...(retryAfterMs !== null && { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
  })
}
