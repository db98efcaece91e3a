import { randomBytes } from 'node:crypto'
import type { Call } from '../../http/call.ts'
import { json, refuse, Refusal } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { cidOfBlob } from './cid.ts'
import { failure, invalidRequest, unauthorized } from './errors.ts'
import { blobIdOf } from './read-embed.ts'

const serviceDid = 'did:web:video.bsky.app'
const minuteMs = 60_000
const hourMs = 3_600_000
const dailyBytes = 10_000_000_000
/** lexicons/app/bsky/embed/video.json in github.com/bluesky-social/atproto. */
const videoBytesMax = 300_000_000

/** What a data server signed for an account: this audience may call this method in its name until then. */
type ServiceToken = { account: Account; aud: string; lxm: string | null; expiresAtMs: number }
type Job = { id: string; account: Account; bytes: Buffer; cid: string; isFailing: boolean; atMs: number; readyAtMs: number }

/**
 * The video service, and the signatures of the data server that it asks for. The real one is at https://video.bsky.app; a client of the
 * simulator finds it on the data server, because that is not reachable from outside either. It stores the finished file on the data server.
 * Its answers differ from its lexicon: see issues 3026 and 3097 of github.com/bluesky-social/atproto.
 */
export function videoRoutes(context: PlatformContext): Route[] {
  const tokens = context.createTable<ServiceToken>('serviceTokens', { isClearedWithPosts: false })
  const jobs = context.createTable<Job>('videoJobs')
  const pdsDid = () => `did:web:${new URL(context.origin).hostname}`

  const sign = (call: Call, account: Account) => {
    const aud = call.query.get('aud')
    const lxm = call.query.get('lxm')
    const seconds = Number(call.query.get('exp') ?? Math.floor((context.now() + minuteMs) / 1000))
    if (aud === null || !aud.startsWith('did:')) throw invalidRequest('Error: aud must be a valid did')
    if (!Number.isInteger(seconds)) throw invalidRequest('Error: exp must be an integer')
    const leftMs = seconds * 1000 - context.now()
    if (leftMs < 0) throw invalidRequest('expiration is in past', 'BadExpiration')
    if (leftMs > hourMs)
      throw invalidRequest('cannot request a token with an expiration more than an hour in the future', 'BadExpiration')
    if (lxm === null && leftMs > minuteMs)
      throw invalidRequest(
        'cannot request a method-less token with an expiration more than a minute in the future',
        'BadExpiration',
      )
    const claims = { iss: account.id, aud, exp: seconds, lxm: lxm ?? undefined, jti: randomBytes(12).toString('hex') }
    const signed = [{ typ: 'JWT', alg: 'ES256K' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    const token = `${signed.join('.')}.${randomBytes(48).toString('base64url')}`
    tokens.set(token, { account, aud, lxm, expiresAtMs: seconds * 1000 })
    return json(200, { token })
  }

  /** The session's own token is no use here: it is for the data server only. */
  const checkSigned = (call: Call, { aud, lxm }: { aud: string; lxm: string }): Account => {
    if (context.settings.videoService === 'missing') throw new Refusal(failure(404))
    const token = tokens.get(call.bearer() ?? '')
    if (!token) throw unauthorized('invalid token')
    if (token.expiresAtMs <= context.now()) throw unauthorized('jwt expired', 'JwtExpired')
    if (token.aud !== aud) throw unauthorized(`jwt audience does not match service did: ${token.aud}`, 'BadJwtAudience')
    if (token.lxm !== lxm) throw unauthorized(`bad jwt lexicon method ("lxm"). must match: ${lxm}`, 'BadJwtLexiconMethod')
    return token.account
  }

  const readLimits = (call: Call) => {
    const account = checkSigned(call, { aud: serviceDid, lxm: 'app.bsky.video.getUploadLimits' })
    const { max } = context.limits.all()['videos'] ?? { max: 0 }
    const left = max - context.limits.used(account, 'videos', context.now())
    if (left > 0) return json(200, { canUpload: true, remainingDailyVideos: left, remainingDailyBytes: dailyBytes })
    const message = 'You have reached the daily limit of videos.'
    return json(200, {
      canUpload: false,
      remainingDailyVideos: 0,
      remainingDailyBytes: dailyBytes,
      error: 'daily_limit',
      message,
    })
  }

  const upload = (call: Call) => {
    const account = checkSigned(call, { aud: pdsDid(), lxm: 'com.atproto.repo.uploadBlob' })
    if (call.query.get('did') !== account.id) throw unauthorized('did does not match the token')
    if (call.headers['content-type'] !== 'video/mp4') throw invalidRequest('Wrong request encoding (Content-Type)')
    if (call.headers['content-length'] === undefined) throw refuse(411, { error: 'InvalidRequest', message: 'Length Required' })
    if (call.body.length === 0 || call.body.length > videoBytesMax) throw new Refusal(failure(413))
    const cid = cidOfBlob(call.body)
    const known = [...jobs.values()].find(
      (job) => job.account === account && job.cid === cid && stateOf(job) === 'JOB_STATE_COMPLETED',
    )
    if (known) {
      const said = { error: 'already_exists', message: 'Video already processed', state: 'JOB_STATE_COMPLETED' }
      return json(409, { did: account.id, jobId: known.id, ...said })
    }
    if (context.limits.charge(account, { limit: 'videos', cost: 1 }, context.now())?.exceeded === true)
      throw new Refusal(failure(429))
    const id = `job${context.nextNumber()}`
    const readyAtMs = context.readyAtMs(context.settings.processingMs)
    jobs.set(id, {
      id,
      account,
      bytes: call.body,
      cid,
      isFailing: context.settings.processingFails,
      atMs: context.now(),
      readyAtMs,
    })
    // Not wrapped in `jobStatus`, as the lexicon has it.
    return json(200, { did: account.id, jobId: id, state: 'JOB_STATE_CREATED' })
  }

  const stateOf = (job: Job) => {
    if (context.now() < job.readyAtMs)
      return context.now() < (job.atMs + job.readyAtMs) / 2 ? 'JOB_STATE_ENCODING' : 'JOB_STATE_SCANNING'
    return failureOf(job) ? 'JOB_STATE_FAILED' : 'JOB_STATE_COMPLETED'
  }
  const failureOf = ({ isFailing, bytes }: Job): string | null => {
    if (isFailing) return 'encoding_failure'
    if (context.settings.videoService === 'cannot-store') return 'pds_upload_failure'
    return bytes.length > (context.settings.blobBytesMax ?? Infinity) ? 'pds_upload_unsupported_blob_size' : null
  }

  const readJob = ({ query }: Call) => {
    if (context.settings.videoService === 'missing') throw new Refusal(failure(404))
    const job = jobs.get(query.get('jobId') ?? '')
    if (!job) throw invalidRequest('Job not found')
    const state = stateOf(job)
    const status = { jobId: job.id, did: job.account.id, state }
    if (state === 'JOB_STATE_FAILED') {
      const error = `video processing error for job: ${job.id}`
      return json(200, { jobStatus: { ...status, error, failureCode: failureOf(job), message: 'Failed to process video' } })
    }
    if (state !== 'JOB_STATE_COMPLETED') return json(200, { jobStatus: { ...status, progress: 50 } })
    return json(200, { jobStatus: { ...status, progress: 100, blob: store(job) } })
  }

  const store = ({ account, bytes, cid }: Job) => {
    const id = blobIdOf(account, cid)
    const stored = context.simulator.media.find(context.name, id)
    if (!stored)
      context.simulator.media.add(context.name, { id, account, mime: 'video/mp4', bytes, alt: '', readyAtMs: context.now() })
    return { $type: 'blob', ref: { $link: cid }, mimeType: 'video/mp4', size: bytes.length }
  }

  const signer = (call: Call) => tokens.get(call.bearer() ?? '')?.account
  const ip = [{ limit: 'ip', cost: 1 }]
  const server = '/xrpc/com.atproto.server'
  const video = '/xrpc/app.bsky.video'
  return [
    {
      method: 'GET',
      path: `${server}.getServiceAuth`,
      operation: 'stage',
      charges: ip,
      handle: (call, { account }) => sign(call, account),
    },
    {
      method: 'GET',
      path: `${server}.describeServer`,
      operation: 'other',
      open: true,
      charges: ip,
      answer: () =>
        json(200, {
          did: pdsDid(),
          availableUserDomains: ['.bsky.test'],
          inviteCodeRequired: false,
          blobUploadLimit: context.settings.blobBytesMax,
          links: {},
          contact: {},
        }),
    },
    { method: 'GET', path: `${video}.getUploadLimits`, operation: 'stage', open: true, findAccount: signer, answer: readLimits },
    { method: 'POST', path: `${video}.uploadVideo`, operation: 'stage', open: true, findAccount: signer, answer: upload },
    {
      method: 'GET',
      path: `${video}.getJobStatus`,
      operation: 'stage',
      open: true,
      findAccount: ({ query }) => jobs.get(query.get('jobId') ?? '')?.account,
      answer: readJob,
    },
  ]
}
