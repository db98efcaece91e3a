import { queuesMax, type BodyOf, type Queue, type QueueSlot, type queues } from '@carillon/contract'
import { sortSlots } from '@carillon/core'
import { newId } from '../../infra/db/ids.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { findConnections } from '../connections/find-connections.ts'
import { checkTimezone } from '../workspaces/create-workspace.ts'
import { deleteQueue, findQueue, insertQueue, listQueueRows, updateQueue, type QueueRow, type ZonedQueue } from './queue.store.ts'

export async function getQueues({ tx, principal }: RequestScope): Promise<Queue[]> {
  return (await listQueueRows(tx, principal.workspaceId)).map(presentQueue)
}

export async function getQueue(scope: RequestScope, id: string): Promise<Queue> {
  return presentQueue(await requireQueue(scope, id))
}

/** `lock` as in `findQueue`. */
export async function requireQueue(
  { tx, principal: { workspaceId } }: RequestScope,
  id: string,
  lock: 'share' | 'update' | null = null,
): Promise<ZonedQueue> {
  const queue = await findQueue(tx, { workspaceId, id }, lock)
  if (queue) return queue
  if (id !== 'default') throw problem('queue_not_found')
  throw problem('queue_not_found', { message: 'This workspace has no queue. An admin can create one.' })
}

export async function createQueue(
  scope: RequestScope,
  { name, timezone = null, slots = [] }: BodyOf<typeof queues.create>,
): Promise<Answer<Queue>> {
  const { tx, principal, nowMs } = scope
  const { workspaceId } = principal
  if (timezone !== null) checkTimezone(timezone)
  await checkSlots(scope, slots)
  await lockQuota(tx, `queues ${workspaceId}`)
  if ((await listQueueRows(tx, workspaceId)).length >= queuesMax)
    throw problem('quota_reached', { message: `A workspace has at most ${queuesMax} queues.` })
  const id = newId(nowMs)
  const now = new Date(nowMs)
  const columns = { name, timezone, slots: JSON.stringify(sortSlots(slots)), created_at: now, updated_at: now }
  const row = await insertQueue(tx, { workspace_id: workspaceId, id, ...columns })
  return new Answer(presentQueue(row), { subjectId: id })
}

/** Posts that have a slot keep their time: moving them is another request (`posts/schedule/reflow-queue.ts`). */
export async function changeQueue(
  scope: RequestScope,
  id: string,
  { name, timezone, slots }: BodyOf<typeof queues.update>,
): Promise<Answer<Queue>> {
  const { tx, principal, nowMs } = scope
  const queue = await requireQueue(scope, id, 'update')
  if (timezone !== undefined && timezone !== null) checkTimezone(timezone)
  if (slots) await checkSlots(scope, slots, queue.slots)
  const row = await updateQueue(
    tx,
    { workspaceId: principal.workspaceId, id: queue.id },
    {
      ...(name !== undefined && { name }),
      ...(timezone !== undefined && { timezone }),
      ...(slots && { slots: JSON.stringify(sortSlots(slots)) }),
      updated_at: new Date(nowMs),
    },
  )
  return new Answer(presentQueue(row), { subjectId: queue.id })
}

export async function removeQueue({ tx, principal }: RequestScope, id: string): Promise<null> {
  if (!(await deleteQueue(tx, { workspaceId: principal.workspaceId, id }))) throw problem('queue_not_found')
  return null
}

/** A slot may go on naming an account that was removed since: it comes back under its slug when it is connected again. */
async function checkSlots(scope: RequestScope, slots: readonly QueueSlot[], before: readonly QueueSlot[] = []): Promise<void> {
  const times = slots.map(({ day, time }) => `${day} ${time}`)
  const repeated = slots.flatMap(({ day, time }, index) =>
    times.indexOf(`${day} ${time}`) === index
      ? []
      : [{ path: `slots[${index}]`, message: `The queue has a slot on ${day} at ${time} already.` }],
  )
  if (repeated.length > 0) throw problem('request_invalid', { details: repeated })
  const slugs = [...new Set(slots.flatMap(({ connections = [] }) => connections))]
  const known = new Set([
    ...(await findConnections(scope, slugs)).keys(),
    ...before.flatMap(({ connections = [] }) => connections),
  ])
  const unknown = slugs.filter((slug) => !known.has(slug))
  if (unknown.length > 0)
    throw problem('connection_unknown', {
      message: unknown.map((slug) => `The workspace has no connection "${slug}".`).join(' '),
    })
}

function presentQueue(row: QueueRow): Queue {
  return {
    id: row.id,
    name: row.name,
    timezone: row.timezone,
    slots: row.slots,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
