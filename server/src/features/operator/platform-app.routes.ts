import type { Connector, GuideValue } from '@carillon/connectors'
import { appSetting, isPlatform, platforms, type Platform } from '@carillon/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { guardOrigin } from '../../infra/http/guard-origin.ts'
import { problem, type Detail } from '../../infra/problem/problem.ts'
import { recordAccountEvent } from '../audit/record-change.ts'
import { checkPlatformApp } from '../connections/apps/check-platform-app.ts'
import {
  findPlatformApp,
  readAllPlatformApps,
  readAppUse,
  readPlatformApps,
  removePlatformApp,
  savePlatformApp,
  toUsable,
  type KnownApp,
  type UsableApp,
} from '../connections/apps/platform-apps.ts'
import { missingAppMessage, needsApp } from '../connections/connect/connect-method.ts'
import { redirectUrlOf } from '../connections/connect/find-app.ts'
import { legalUrl } from '../legal/legal.routes.ts'
import { describeRequest } from '../people/account-request.ts'
import { checkFields } from '../people/check-fields.ts'
import { requireOperator } from './require-operator.ts'

const idLengthMax = 200
const secretLengthMax = 500

/** The developer apps of this installation, for the operators' pages of the web app. A secret goes in and never comes out again. */
export function platformAppRoutes(app: FastifyInstance, ctx: Context): void {
  app.get('/operator/platforms', async (request) => {
    await requireOperator(ctx, request)
    return { success: true, data: await listApps(ctx) }
  })
  app.put('/operator/platforms/:platform/app', async (request) => {
    guardOrigin(ctx.config, request)
    const personId = await requireOperator(ctx, request)
    const platform = platformOf(ctx, request)
    const entered = await readEntered(ctx, platform, request.body)
    await ctx.db.system.transaction().execute(async (tx) => {
      await savePlatformApp(ctx, tx, platform, entered)
      await recordAccountEvent(ctx, tx, { personId, action: 'platform_app.save', detail: platform, ...describeRequest(request) })
    })
    request.log.info({ platform, personId }, 'an operator entered a developer app')
    return { success: true, data: await describeOne(ctx, platform) }
  })
  app.post('/operator/platforms/:platform/check', async (request) => {
    guardOrigin(ctx.config, request)
    await requireOperator(ctx, request)
    const platform = platformOf(ctx, request)
    const isGiven = Object.keys(request.body ?? {}).length > 0
    const given = isGiven ? await readEntered(ctx, platform, request.body) : await findPlatformApp(ctx, platform)
    if (!given) throw problem('platform_not_configured', { message: missingAppMessage(platform) })
    return { success: true, data: await checkPlatformApp(ctx, platform, given) }
  })
  app.delete('/operator/platforms/:platform/app', async (request) => {
    guardOrigin(ctx.config, request)
    const personId = await requireOperator(ctx, request)
    const platform = platformOf(ctx, request)
    await ctx.db.system.transaction().execute(async (tx) => {
      if (!(await removePlatformApp(tx, platform))) return
      await recordAccountEvent(ctx, tx, {
        personId,
        action: 'platform_app.remove',
        detail: platform,
        ...describeRequest(request),
      })
    })
    request.log.info({ platform, personId }, 'an operator removed a developer app')
    return { success: true, data: await describeOne(ctx, platform) }
  })
}

function platformOf(ctx: Context, request: FastifyRequest): Platform {
  const { platform } = request.params as { platform: string }
  if (!isPlatform(platform)) throw problem('platform_not_found')
  if (!needsApp(ctx.connectors[platform].auth)) throw refusal('platform', 'This platform needs no developer app.')
  return platform
}

/** Without a secret, the one that is stored with this id stays. */
async function readEntered(ctx: Context, platform: Platform, body: unknown): Promise<UsableApp> {
  if (ctx.config.apps[platform])
    throw refusal(
      'platform',
      `${appSetting(platform)} is set in the environment, which comes first. Remove it there and restart.`,
    )
  const fields = checkFields({ clientId: idLengthMax, clientSecret: secretLengthMax, isVetted: 'flag' }, body)
  const clientId = textOf(fields['clientId'])
  const stored = (await readPlatformApps(ctx, platform)).find((each) => each.source === 'stored' && each.clientId === clientId)
  const clientSecret = textOf(fields['clientSecret']) || (stored ? toUsable(stored).clientSecret : '')
  const details = [...findFault('clientId', clientId), ...findFault('clientSecret', clientSecret)]
  if (details.length > 0) throw problem('request_invalid', { details })
  return { clientId, clientSecret, isVetted: fields['isVetted'] === true && canBeVetted(ctx.connectors[platform]) }
}

/** What is copied from a console often has a space or a line break at its end. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

function findFault(path: string, text: string): Detail[] {
  if (text === '') return [{ path, message: 'This field is required.' }]
  return /[\s\p{Cc}]/u.test(text) ? [{ path, message: 'Must not have spaces inside.' }] : []
}

function refusal(path: string, message: string) {
  return problem('request_invalid', { details: [{ path, message }] })
}

async function listApps(ctx: Context) {
  const [appsOf, uses] = await Promise.all([readAllPlatformApps(ctx), readAppUse(ctx)])
  return platforms.map((platform) => ({
    platform,
    needsApp: needsApp(ctx.connectors[platform].auth),
    setting: needsApp(ctx.connectors[platform].auth) ? appSetting(platform) : null,
    canBeVetted: canBeVetted(ctx.connectors[platform]),
    portalUrl: portalUrlOf(ctx.connectors[platform]),
    values: guideValues(ctx, ctx.connectors[platform]),
    ...presentApps(appsOf(platform)),
    uses: uses
      .filter((use) => use.platform === platform)
      .map(({ clientId, accounts }) => ({
        clientId,
        accounts,
        isKnown: appsOf(platform).some((each) => each.clientId === clientId),
      })),
  }))
}

async function describeOne(ctx: Context, platform: Platform) {
  return (await listApps(ctx)).find((each) => each.platform === platform)
}

/** `app` is used for new accounts. `entered` is the one that an operator entered, which the environment may overrule. */
function presentApps(apps: readonly KnownApp[]) {
  const present = (app: KnownApp | undefined) =>
    app
      ? { clientId: app.clientId, isVetted: app.isVetted, source: app.source, enteredAt: app.enteredAt?.toISOString() ?? null }
      : null
  return { app: present(apps[0]), entered: present(apps.find(({ source, isReplaced }) => source === 'stored' && !isReplaced)) }
}

function portalUrlOf({ auth }: Connector): string | null {
  return auth.kind === 'oauth2' ? (auth.portalUrl ?? null) : null
}

/** What a guide asks to be entered in the console of the platform, with the addresses of this installation. */
function guideValues(ctx: Context, { auth, manifest: { platform } }: Connector): Record<GuideValue, string> {
  const { publicUrl, operator } = ctx.config
  const { scopes = [], vettedScopes = [], scopeSeparator = ' ' } = auth.kind === 'oauth2' ? auth : {}
  return {
    redirectUrl: redirectUrlOf(ctx, platform),
    scopes: scopes.join(scopeSeparator),
    vettedScopes: vettedScopes.join(scopeSeparator),
    name: operator.name,
    website: publicUrl,
    privacyUrl: legalUrl(ctx, 'privacy'),
    termsUrl: legalUrl(ctx, 'terms'),
    deletionUrl: legalUrl(ctx, 'deletion'),
    deauthorizeUrl: `${publicUrl}/integrations/${platform}/deauthorize`,
    deletionRequestUrl: `${publicUrl}/integrations/${platform}/data-deletion`,
  }
}

function canBeVetted({ auth }: Connector): boolean {
  return auth.kind === 'oauth2' && auth.vettedScopes !== undefined
}
