import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Client, Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { streamMedia, uploadTimeoutMs } from '../kit/read-media.ts'
import { refusalByStatus } from '../kit/refusal.ts'
import { because } from './errors.ts'
import { DidDocument, JobAnswer, ServerDescription, ServiceToken, SessionDocument, UploadLimits, type VideoJob } from './wire.ts'

const videoService = 'https://video.bsky.app'
const videoServiceDid = 'did:web:video.bsky.app'
const uploadMethod = 'com.atproto.repo.uploadBlob'
/**
 * The service stores the file on the account's server at the end of the conversion, with the signature that came with the upload. A slow line
 * needs 40 minutes for the largest file. A server signs for an hour at most.
 */
const signedForSeconds = 3300
/** How long staging waits for the conversion: some seconds are enough for a short video. */
const stageWaitsMs = [2_000, 3_000, 5_000, 5_000]
const submitWaitsMs = [3_000, 5_000, 10_000, 20_000, 30_000]
/** The service tells how many videos are left for the day, and not when the day ends. */
const dayLimitWaitMs = 3_600_000
/** What the servers of Bluesky document for a file; a server of one's own names its limit. */
const blobBytesMaxDefault = 50_000_000

type Job = Static<typeof VideoJob>
type Service = { origin: string; server: Server }
type Server = { did: string; blobBytesMax: number }

/** A video that is ready, one that is still converted, or one that the service cannot take: it then goes to the server of the account. */
type StagedVideo = { blob: Record<string, unknown> } | { job: { service: string; jobId: string } } | { blobBytesMax: number }

/** Has Bluesky convert a video before the post, so that the post is never seen without it and a failure is known. */
export async function convertVideo(client: Client, media: Media): Promise<StagedVideo> {
  const { http } = client
  const service = await findService(http)
  const alone = { blobBytesMax: service.server.blobBytesMax }
  if (!(await mayUpload(http, service, media))) return alone
  const uploaded = await upload(client, service, media)
  if (!uploaded) return alone
  let job = uploaded
  for (const waitMs of stageWaitsMs) {
    if (job.blob) return { blob: job.blob }
    if (job.state === 'JOB_STATE_FAILED') break
    await http.wait(waitMs)
    job = await readJob(http, service.origin, uploaded.jobId)
  }
  if (job.blob) return { blob: job.blob }
  // The service does not reach the account's server, or that takes no file of this size.
  if (job.failureCode?.startsWith('pds_upload')) return alone
  if (job.state === 'JOB_STATE_FAILED') throw failedJob(job)
  return { job: { service: service.origin, jobId: uploaded.jobId } }
}

/** The converted file, or an error that tells when to ask again. */
export async function readConverted(
  http: Http,
  { service, jobId }: { service: string; jobId: string },
): Promise<Record<string, unknown>> {
  const job = await readJob(http, service, jobId)
  if (job.blob) return job.blob
  if (job.state === 'JOB_STATE_FAILED') throw failedJob(job)
  throw new PlatformError({ kind: 'unavailable', platformCode: job.state, ...because('file_processing'), waitsMs: submitWaitsMs })
}

/**
 * The service calls the account's own server, whose name is in the account's document: bsky.social only passes calls on. A server without TLS
 * cannot be reached from outside. It is asked itself, as test servers are one for both.
 */
async function findService(http: Http): Promise<Service> {
  const { didDoc } = await http.call({ method: 'GET', path: '/xrpc/com.atproto.server.getSession', returns: SessionDocument })
  const named = Value.Check(DidDocument, didDoc) ? didDoc.service.find(({ id }) => id.endsWith('#atproto_pds')) : undefined
  const endpoint = URL.parse(named?.serviceEndpoint ?? '') ?? new URL(http.origin)
  const isPublic = endpoint.protocol === 'https:'
  const base = isPublic ? endpoint.origin : http.origin
  const described = await http
    .call({ method: 'GET', path: `${base}/xrpc/com.atproto.server.describeServer`, anonymous: true, returns: ServerDescription })
    .catch(ignoreRefusal)
  const did = described?.did ?? `did:web:${endpoint.hostname}`
  const blobBytesMax = described?.blobUploadLimit ?? blobBytesMaxDefault
  return { origin: isPublic ? videoService : http.origin, server: { did, blobBytesMax } }
}

/** False if there is no service for this account. Throws if there is one that takes no video of it now. */
async function mayUpload(http: Http, { origin }: Service, media: Media): Promise<boolean> {
  const authorization = await sign(http, videoServiceDid, 'app.bsky.video.getUploadLimits')
  const path = `${origin}/xrpc/app.bsky.video.getUploadLimits`
  const limits = await http
    .call({ method: 'GET', path, headers: { authorization }, anonymous: true, returns: UploadLimits })
    .catch(ignoreRefusal)
  if (!limits) return false
  const { canUpload, remainingDailyVideos = 1, remainingDailyBytes = Infinity, error = null, message } = limits
  if (remainingDailyVideos <= 0 || remainingDailyBytes < media.sizeBytes)
    throw new PlatformError({ kind: 'limited', platformCode: error, ...because('day_limit'), retryAfterMs: dayLimitWaitMs })
  if (!canUpload) throw refusedUpload(error, message)
  return true
}

/** A file that the service has converted before comes with `already_exists` as an error, and is as good as a new one. Null: no service. */
async function upload({ http, account }: Client, { origin, server }: Service, media: Media): Promise<Job | null> {
  const authorization = await sign(http, server.did, uploadMethod)
  const answer = await http
    .call({
      method: 'POST',
      path: `${origin}/xrpc/app.bsky.video.uploadVideo`,
      query: { did: account.id, name: media.name },
      bytes: { body: await streamMedia(media), mimeType: media.mimeType },
      headers: { authorization, 'content-length': String(media.sizeBytes) },
      anonymous: true,
      timeoutMs: uploadTimeoutMs(media.sizeBytes),
      answersRefusals: true,
      returns: JobAnswer,
    })
    .catch((error: unknown) => {
      // It is the service that does not accept the signature, not the account's server that does not accept the sign-in.
      if (error instanceof PlatformError && (error.kind === 'auth' || error.kind === 'gone')) return null
      throw error
    })
  if (!answer) return null
  const job = 'jobStatus' in answer ? answer.jobStatus : answer
  if (job.jobId === '') throw refusedUpload(job.error ?? null, job.message)
  return job
}

async function readJob(http: Http, service: string, jobId: string): Promise<Job> {
  const path = `${service}/xrpc/app.bsky.video.getJobStatus`
  try {
    const answer = await http.call({ method: 'GET', path, query: { jobId }, anonymous: true, returns: JobAnswer })
    return 'jobStatus' in answer ? answer.jobStatus : answer
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind === 'limited' || error.kind === 'unavailable') throw error
    // A job that the service has forgotten says nothing about the post or the sign-in: the video is uploaded again.
    throw new PlatformError({ kind: 'rejected', isTemporary: true, platformCode: error.platformCode, ...because('not_prepared') })
  }
}

async function sign(http: Http, aud: string, lxm: string): Promise<string> {
  const exp = String(Math.floor(http.nowMs() / 1000) + signedForSeconds)
  const path = '/xrpc/com.atproto.server.getServiceAuth'
  const { token } = await http.call({ method: 'GET', path, query: { aud, lxm, exp }, returns: ServiceToken })
  return `Bearer ${token}`
}

/** Null if a server does not know the method or refuses the signature; there is then no service for it. */
function ignoreRefusal(error: unknown): null {
  const isMissing = error instanceof PlatformError && error.platformCode === 'MethodNotImplemented'
  if (isMissing || (error instanceof PlatformError && error.kind !== 'limited' && error.kind !== 'unavailable')) return null
  throw error
}

function refusedUpload(code: string | null, said?: string): PlatformError {
  if (code === 'unconfirmed_email')
    return new PlatformError({ kind: 'rejected', platformCode: code, ...because('email_unconfirmed') })
  return new PlatformError({ ...refusalByStatus('Bluesky', 400, said ?? code), platformCode: code })
}

/** Only the file itself is a reason that stays. */
function failedJob({ state, failureCode, message }: Job): PlatformError {
  const isFile = failureCode === 'validation_failure' || failureCode === 'encoding_failure'
  const reason = isFile ? because('file_unprocessed') : because('not_prepared')
  return new PlatformError({
    kind: 'rejected',
    isTemporary: !isFile,
    platformCode: failureCode ?? state,
    ...reason,
    platformMessage: message,
  })
}
