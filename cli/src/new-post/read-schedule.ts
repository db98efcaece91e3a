import type { Carillon } from '@carillon/sdk'
import { UsageError } from '../cli-error.ts'
import { hasOffset, readDuration, readTime } from '../output/times.ts'

type Wanted = {
  at: string | null
  in: string | null
  zone: string | null
  queue: string | null
  'next-free-slot': boolean
  draft: boolean
}

type Schedule = { scheduledAt?: string; timezone?: string; queue?: string }

/** The fields of a request for the time of a post. Without any, it is published at once. */
export async function readSchedule(wanted: Wanted, carillon: Carillon, workspaceId: string): Promise<Schedule> {
  const { at, in: delay, zone, queue, 'next-free-slot': hasSlot } = wanted
  const isQueued = queue !== null || hasSlot
  if ([at !== null, delay !== null, isQueued].filter(Boolean).length > 1)
    throw new UsageError('Give one of --at, --in and --next-free-slot (or --queue).')
  if (zone !== null && at === null) throw new UsageError('--zone belongs to --at.')
  if (isQueued && wanted.draft) throw new UsageError('A draft has no slot of a queue.')
  if (isQueued) return { queue: queue === null ? 'default' : await findQueue(queue, carillon) }
  if (delay !== null) return { scheduledAt: new Date(Date.now() + readDuration(delay, 'in')).toISOString() }
  if (at === null) return {}
  const { scheduledAt, timezone } = readTime(at, zone)
  // A wall time is one of the workspace, as in the web app.
  const known = timezone ?? (hasOffset(scheduledAt) ? null : (await carillon.workspaces.get(workspaceId)).timezone)
  return { scheduledAt, ...(known !== null && { timezone: known }) }
}

async function findQueue(name: string, { queues }: Carillon): Promise<string> {
  const all = await queues.list()
  const found = all.filter((each) => each.id === name || each.name.toLowerCase() === name.toLowerCase())
  const [queue, ...others] = found
  if (queue === undefined || others.length > 0)
    throw new UsageError(
      `There is ${queue === undefined ? 'no queue' : 'more than one queue'} ${name}. carillon queues list shows their ids.`,
    )
  return queue.id
}
