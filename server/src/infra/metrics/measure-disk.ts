import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { getMetrics } from './get-metrics.ts'

/** A network folder that does not answer must not hold the other metrics. */
const waitMs = 1_000

/** Sets how much room is left where media files are stored or checked. Without an answer, the last values stay. */
export async function measureDisk(ctx: Context): Promise<void> {
  const { diskFree, diskSize } = getMetrics(ctx)
  const reading = statfs(ctx.config.media.dir).catch(() => null)
  const found = await Promise.race([reading, sleep(waitMs, null, { ref: false })])
  if (!found) return
  // What a process without special rights can still write.
  diskFree.set({ folder: 'media' }, found.bavail * found.bsize)
  diskSize.set({ folder: 'media' }, found.blocks * found.bsize)
}
