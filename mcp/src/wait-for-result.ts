import { CarillonError, type Carillon, type Post } from '@carillon/sdk'

type WaitOptions = { waitSeconds: number; signal: AbortSignal }

/** The post when every account has its result, or as it is when the time is up. A post that is not due yet is not waited for. */
export async function waitForResult(
  content: Carillon['content'],
  id: string,
  { waitSeconds, signal }: WaitOptions,
): Promise<Post> {
  const post = await content.get(id)
  const isUnderWay = post.status === 'queued' || post.status === 'publishing'
  if (!isUnderWay || waitSeconds <= 0) return post
  try {
    await content.waitUntilFinished(id, { timeoutMs: waitSeconds * 1000, signal })
  } catch (error) {
    const isOnlyLate = error instanceof CarillonError && (error.code === 'wait_timed_out' || error.code === 'wait_pointless')
    if (!isOnlyLate) throw error
  }
  return content.get(id)
}
