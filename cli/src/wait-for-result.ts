import type { Carillon, Post } from '@carillon/sdk'
import { CommandError, UsageError } from './cli-error.ts'
import { isAnswered, isCarillonError } from './describe-failure.ts'
import { exitCodes } from './exit-codes.ts'
import { flag, optionalText } from './line/option.ts'
import { readDuration } from './output/times.ts'

export const waitOptions = {
  wait: flag({ about: 'Wait until every account has its result, and show each.' }),
  'wait-max': optionalText({
    placeholder: 'DURATION',
    about: 'How long to wait, counted from the time of the post. Without it: 5m.',
  }),
}

const pollMs = 2000
const waitMsDefault = 300_000
const isFinished = (status: Post['status']) => status === 'completed' || status === 'partial_failure' || status === 'failed'

export function readWaitMs({ wait, 'wait-max': max }: { wait: boolean; 'wait-max': string | null }): number | null {
  if (!wait && max !== null) throw new UsageError('--wait-max belongs to --wait.')
  if (!wait) return null
  return max === null ? waitMsDefault : readDuration(max, 'wait-max')
}

/**
 * The post when every channel has its result. The post is on its way whether this program knows or not, so a network that is away for some
 * seconds does not end the wait.
 */
export async function waitForResult(content: Carillon['content'], id: string, waitMs: number): Promise<Post> {
  let endMs = Date.now() + waitMs
  for (;;) {
    const post = await content.get(id).catch((error: unknown) => {
      if (isCarillonError(error) && (!isAnswered(error) || error.code === 'rate_limited') && Date.now() < endMs) return null
      throw error
    })
    if (post !== null && isFinished(post.status)) return post
    if (post?.status === 'draft') throw stopped(`Post ${id} is a draft: nothing will be published.`)
    const dueMs = Date.parse(post?.scheduledAt ?? '')
    if (dueMs > Date.now()) endMs = dueMs + waitMs
    if (Date.now() >= endMs)
      throw stopped(`Post ${id} has no result yet. It goes on without this program: carillon post show ${id} --wait`)
    const untilDueMs = Math.min(dueMs > Date.now() ? dueMs - Date.now() : 0, 60_000)
    await new Promise((resolve) => setTimeout(resolve, Math.max(pollMs, untilDueMs)))
  }
}

function stopped(message: string): CommandError {
  return new CommandError(message, { code: 'unfinished', exitCode: exitCodes.unfinished })
}
