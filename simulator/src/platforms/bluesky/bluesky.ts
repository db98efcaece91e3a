import { base32 } from 'multiformats/bases/base32'
import type { Call } from '../../http/call.ts'
import { json, Refusal } from '../../http/reply.ts'
import type { Platform, PlatformFactory, Route } from '../../platform.ts'
import type { Post } from '../../state/entities.ts'
import { accountDigest, followersOf } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { countGraphemes } from '../../text/graphemes.ts'
import { postCollection } from './check-record.ts'
import { cidOfBlob } from './cid.ts'
import { describeRecord } from './describe-record.ts'
import { createRepo, type Entry, type Repo } from './create-repo.ts'
import { failure, invalidRequest, unauthorized } from './errors.ts'
import { blobIdOf } from './read-embed.ts'
import { recordRoutes } from './records.routes.ts'
import { checkToken, domainOf, findByName, issueSession, sessionRoutes } from './sessions.routes.ts'
import { createTid } from './tid.ts'
import { videoRoutes } from './video.routes.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
const limits: Record<string, Limit> = {
  writesHour: { max: 5000, windowMs: hourMs, per: 'account' },
  writesDay: { max: 35_000, windowMs: dayMs, per: 'account' },
  ip: { max: 3000, windowMs: 5 * minuteMs, per: 'platform' },
  sessions: { max: 30, windowMs: 5 * minuteMs, per: 'account' },
  sessionsDay: { max: 300, windowMs: dayMs, per: 'account' },
  blobs: { max: 1000, windowMs: dayMs, per: 'account' },
  videos: { max: 25, windowMs: dayMs, per: 'account' },
}

const settings: Partial<PlatformSettings> = {
  singleUseRefreshTokens: true,
  videoService: 'working',
  blobBytesMax: 100_000_000,
}

export const bluesky: PlatformFactory = { name: 'bluesky', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('bluesky', simulator, { limits, settings })
  const repo = createRepo(context)
  const nextTid = createTid()
  return {
    context,
    title: 'Bluesky',
    colour: '#0085ff',
    countText: countGraphemes,
    routes: [
      ...recordRoutes(context, { repo, nextTid }),
      ...sessionRoutes(context),
      ...blobRoutes(context),
      ...readingRoutes(context, repo),
      ...videoRoutes(context),
    ],
    pages: [{ path: '/profile/:who/post/:rkey', find: ({ who, rkey }) => findPost(context, who ?? '', rkey ?? '') }],
    profile: { path: '/profile/:who', find: ({ who }) => findByName(context, who ?? '') },
    describe: describeRecord,
    accountIdOf: (handle) => `did:plc:${base32.baseEncode(accountDigest(context.name, handle).subarray(0, 15))}`,
    issueCredentials(account) {
      const { access, refresh } = issueSession(context, account)
      const extra = { did: account.id, identifier: domainOf(account.handle), password: account.password, pds: context.origin }
      return { accessToken: access.value, refreshToken: refresh.value, expiresAtMs: access.expiresAtMs, extra }
    },
    tokenOf: (call) => call.bearer(),
    checkToken(token, { sentToken }) {
      if (sentToken === undefined) throw unauthorized('Authentication Required', 'AuthMissing')
      return checkToken(context, token, 'access')
    },
    failure(status, retryAfterSeconds) {
      const reply = failure(status)
      const resetAtMs = context.now() + (retryAfterSeconds ?? 300) * 1000
      if (status === 429) Object.assign(reply.headers, rateHeaders({ max: 5000, remaining: 0, resetAtMs, windowMs: hourMs }))
      return reply
    },
    expiredToken: () => json(400, { error: 'ExpiredToken', message: 'Token has expired' }),
    rateHeaders,
  }
}

function rateHeaders({
  max,
  remaining,
  resetAtMs,
  windowMs,
}: {
  max: number
  remaining: number
  resetAtMs: number
  windowMs: number
}) {
  return {
    'ratelimit-limit': String(max),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(Math.ceil(resetAtMs / 1000)),
    'ratelimit-policy': `${max};w=${windowMs / 1000}`,
  }
}

function findPost(context: PlatformContext, who: string, rkey: string): Post | undefined {
  const account = findByName(context, who)
  return account && context.findPost(({ id }) => id === `at://${account.id}/${postCollection}/${rkey}`)
}

function blobRoutes(context: PlatformContext): Route[] {
  return [
    {
      method: 'POST',
      path: '/xrpc/com.atproto.repo.uploadBlob',
      operation: 'stage',
      charges: [{ limit: 'blobs', cost: 1 }],
      handle({ body, headers }, { account }) {
        if (body.length === 0) throw invalidRequest('Request encoding (Content-Type) required but not provided')
        if (body.length > (context.settings.blobBytesMax ?? Infinity)) throw new Refusal(failure(413))
        const mime = headers['content-type']?.split(';')[0] ?? 'application/octet-stream'
        const cid = cidOfBlob(body)
        const id = blobIdOf(account, cid)
        context.simulator.media.add(context.name, { id, account, mime, bytes: body, alt: '', readyAtMs: context.now() })
        return json(200, { blob: { $type: 'blob', ref: { $link: cid }, mimeType: mime, size: body.length } })
      },
    },
  ]
}

function readingRoutes(context: PlatformContext, repo: Repo): Route[] {
  const author = ({ account }: Entry) => ({ did: account.id, handle: domainOf(account.handle), displayName: account.handle })
  const viewPost = (entry: Entry) => ({
    uri: entry.uri,
    cid: entry.cid,
    author: author(entry),
    record: entry.value,
    replyCount: entry.post?.figures?.comments ?? repo.repliesTo(entry.uri),
    repostCount: entry.post?.figures?.shares ?? 0,
    likeCount: entry.post?.figures?.likes ?? 0,
    quoteCount: 0,
    bookmarkCount: entry.post?.figures?.saves ?? 0,
    indexedAt: new Date(entry.post?.atMs ?? context.now()).toISOString(),
  })

  const getPosts = ({ query }: Call) => {
    const uris = query.getAll('uris')
    if (uris.length === 0 || uris.length > 25)
      throw invalidRequest('Error: Params must have the property "uris" with 1 to 25 elements')
    return json(200, {
      posts: uris
        .flatMap((uri) => repo.find(uri) ?? [])
        .filter(repo.isVisible)
        .map(viewPost),
    })
  }
  const ip = [{ limit: 'ip', cost: 1 }]
  return [
    { method: 'GET', path: '/xrpc/app.bsky.feed.getPosts', operation: 'metrics', open: true, charges: ip, answer: getPosts },
    {
      method: 'GET',
      path: '/xrpc/app.bsky.actor.getProfile',
      operation: 'account',
      charges: ip,
      handle({ query }) {
        const account = findByName(context, query.get('actor') ?? '')
        if (!account) throw invalidRequest('Profile not found')
        const avatar = context.avatarUrlOf(account.handle)
        const postsCount = account.posts.filter(({ deleted }) => !deleted).length
        const counts = { followersCount: followersOf(account), followsCount: 0, postsCount }
        return json(200, { did: account.id, handle: domainOf(account.handle), displayName: account.handle, avatar, ...counts })
      },
    },
    {
      method: 'GET',
      path: '/xrpc/com.atproto.identity.resolveHandle',
      operation: 'other',
      open: true,
      charges: ip,
      answer({ query }) {
        const account = findByName(context, query.get('handle') ?? '')
        if (!account) throw invalidRequest('Unable to resolve handle')
        return json(200, { did: account.id })
      },
    },
  ]
}
