import { Refusal } from '../../http/reply.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import { accountDigest } from '../../state/ids.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf, type Token } from '../../state/tokens.ts'
import { commentRoutes } from './comments.routes.ts'
import { failure, refuseWith } from './errors.ts'
import { issueAccess, issueRefresh, oauthRoutes } from '../google/oauth.routes.ts'
import { limits } from './quota.ts'
import { readingRoutes } from './reading.routes.ts'
import { describeResource } from './read-resource.ts'
import { uploadRoutes } from './upload.routes.ts'
import type { UploadSession, Video } from './video.ts'

const settings: Partial<PlatformSettings> = { app: null, audited: true }

export const youtube: PlatformFactory = { name: 'youtube', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('youtube', simulator, { limits, settings })
  const sessions = context.createTable<UploadSession>('sessions')
  const videos = context.createTable<Video>('videos')
  const platform: Platform = {
    context,
    title: 'YouTube',
    colour: '#ff0000',
    countText: (text) => Buffer.byteLength(text),
    routes: [
      ...uploadRoutes(context, { sessions, videos }),
      ...readingRoutes(context, videos),
      ...commentRoutes(context, videos),
      ...oauthRoutes(context, () => platform),
    ],
    pages: [{ path: '/watch', find: ({ v }) => context.findPost(({ id }) => id === v) }],
    profile: { path: '/@:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: describeResource,
    accountIdOf: (handle) => `UC${accountDigest(context.name, handle).toString('base64url').slice(0, 22)}`,
    issueCredentials(account) {
      const access = issueAccess(context, account)
      return {
        accessToken: access.value,
        refreshToken: issueRefresh(context, account).value,
        expiresAtMs: access.expiresAtMs,
      }
    },
    tokenOf: (call) => call.bearer(),
    checkToken: (token, { scope }) => checkToken(context, token, scope),
    failure,
    expiredToken: () => failure(401),
    rateHeaders: () => ({}),
  }
  return platform
}

function checkToken(context: PlatformContext, token: Token | undefined, scope: string | undefined): Token {
  if (token?.kind !== 'access' || stateOf(token, context.now()) !== 'live') throw new Refusal(failure(401))
  if (scope !== undefined && token.scopes?.has(scope) === false)
    throw refuseWith(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
  return token
}
