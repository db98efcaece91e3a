import type { Realm } from '../../state/platform-context.ts'
import type { Job, TikTokPost } from './job.ts'

const photoBytesMax = 20_000_000
const photos = ['image/jpeg', 'image/webp']
const fetchMsMax = 10_000

type Finish = { nextId: () => string; arrivedAtMs: number }

/** The file is whole: nothing can stop the post any more, though the status says so only after processing. */
export function finishVideo(realm: Realm, job: Job, finish: Finish): void {
  const bytes = Buffer.concat(job.upload?.pieces ?? [])
  const mime = videoType(bytes)
  if (mime === undefined) {
    job.failReason = 'file_format_check_failed'
    return
  }
  job.readyAtMs = realm.now() + realm.processingMs
  const { account, readyAtMs } = job
  job.media.push(realm.world.media.add(realm.name, { id: finish.nextId(), account, mime, bytes, alt: '', readyAtMs }))
  commit(realm, job, finish)
}

function videoType(bytes: Buffer): string | undefined {
  if (bytes.subarray(4, 8).toString('latin1') === 'ftyp') return 'video/mp4'
  return bytes.subarray(0, 4).toString('hex') === '1a45dfa3' ? 'video/webm' : undefined
}

/** Photos are fetched after the answer. No redirect is followed. */
export async function fetchPhotos(realm: Realm, job: Job, urls: readonly string[], finish: Finish): Promise<void> {
  try {
    for (const url of urls) {
      const response = await fetch(url, { signal: AbortSignal.timeout(fetchMsMax), redirect: 'error' })
      const mime = response.headers.get('content-type')?.split(';')[0] ?? ''
      const bytes = Buffer.from(await response.arrayBuffer())
      if (!response.ok) job.failReason = 'photo_pull_failed'
      else if (!photos.includes(mime)) job.failReason = 'file_format_check_failed'
      else if (bytes.length > photoBytesMax) job.failReason = 'picture_size_check_failed'
      if (job.failReason !== undefined) return
      job.downloadedBytes += bytes.length
      const { account } = job
      const readyAtMs = realm.now()
      job.media.push(realm.world.media.add(realm.name, { id: finish.nextId(), account, mime, bytes, alt: '', readyAtMs }))
    }
    job.readyAtMs = realm.now()
    commit(realm, job, finish)
  } catch {
    job.failReason = 'photo_pull_failed'
  }
}

function commit(realm: Realm, job: Job, { nextId, arrivedAtMs }: Finish): void {
  const { account, text, media, isVideo } = job
  const id = nextId()
  const url = `${realm.origin}/@${account.handle}/${isVideo ? 'video' : 'photo'}/${id}`
  const head = { platform: realm.name, id, account, text, url, replyTo: null, atMs: realm.now(), deleted: false, media }
  const post: TikTokPost = { ...head, isPublic: job.privacy === 'PUBLIC_TO_EVERYONE', isVideo }
  job.post = post
  realm.limits.charge(account, { limit: 'posts', cost: 1 }, realm.now())
  realm.commit(post, arrivedAtMs)
}
