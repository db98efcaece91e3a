import { authorizeUrl, keepReply, type AppCheck } from '@carillon/connectors'
import type { Platform } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { redirectUrlOf } from '../connect/find-app.ts'
import { openHttp } from '../open-client.ts'
import type { UsableApp } from './platform-apps.ts'

const untold = { outcome: 'unknown', said: null } as const

/** Asks the platform whether it accepts this app and our redirect URL. Nobody signs in, and nothing is changed there. */
export async function checkPlatformApp(ctx: Context, platform: Platform, app: UsableApp): Promise<AppCheck> {
  const connector = ctx.connectors[platform]
  const { auth, checkApp } = connector
  if (auth.kind !== 'oauth2' || !checkApp) return { app: untold, redirect: untold }
  const redirectUrl = redirectUrlOf(ctx, platform)
  const http = openHttp(ctx, { ...connector, classify: keepReply }, { instanceUrl: null, credentials: null })
  const origin = ctx.config.platformOrigins[platform] ?? null
  const page = {
    auth,
    origin,
    app,
    redirectUrl,
    state: 'check',
    codeChallenge: auth.pkce ? 'check' : null,
    isVetted: app.isVetted,
  }
  return checkApp(http, { app, redirectUrl, authorizeUrl: authorizeUrl(page) })
}
