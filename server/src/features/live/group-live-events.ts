import type { EventName } from '@carillon/contract'
import type { ChangeName, DomainEvent, RecordedChange } from '../events/outbox.store.ts'

/** What a stream reports. `reset` is sent by the stream itself and is never stored. */
export type LiveEventName = ChangeName | 'channel.changed'

export type NewLiveEvent = { workspaceId: string; event: LiveEventName; data: string }

/** More ids than this are not listed: the page loads everything of the kind again. */
const idsMax = 100

type Item = {
  workspaceId: string
  event: LiveEventName
  /** Null: any number may have changed. */
  id: string | null
  channelId: string | null
  personId: string | null
  atMs: number
}

/**
 * Turns what the relay took into the events of streams. Changes of the same kind, workspace and person become one event, so that a burst of
 * thousands of posts is a few rows.
 */
export function groupLiveEvents(events: readonly Required<DomainEvent>[], changes: readonly RecordedChange[]): NewLiveEvent[] {
  const items = [...events.flatMap(itemOfEvent), ...changes.map(itemOfChange)]
  const groups = Map.groupBy(items, ({ workspaceId, event, personId }) => `${workspaceId} ${event} ${personId}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first ? [{ workspaceId: first.workspaceId, event: first.event, data: JSON.stringify(dataOf(first, group)) }] : []
  })
}

function dataOf({ event, personId }: Item, group: readonly Item[]) {
  return {
    ids: distinct(group.map(({ id }) => id)),
    ...(event === 'channel.changed' && { channels: distinct(group.map(({ channelId }) => channelId)) }),
    by: personId,
    updatedAt: new Date(Math.max(...group.map(({ atMs }) => atMs))).toISOString(),
  }
}

/** An empty list means that anything of this kind may have changed. */
function distinct(ids: readonly (string | null)[]): string[] {
  const found = new Set(ids.filter((id) => id !== null))
  return ids.includes(null) || found.size > idsMax ? [] : [...found]
}

function itemOfEvent(domainEvent: Required<DomainEvent>): Item[] {
  const { workspaceId, event, postId, channelId, connectionId, personId, atMs } = domainEvent
  const item = { workspaceId, channelId, personId, atMs }
  switch (kindOf(event)) {
    case 'upload':
    case 'content':
      return [{ ...item, event: 'post.changed', id: postId }]
    case 'channel':
      // A page knows a channel as part of its post.
      return [{ ...item, event: 'channel.changed', id: postId }]
    case 'connection':
      return [{ ...item, event: 'connection.changed', id: connectionId }]
    case 'workspace':
      return [{ ...item, event: 'workspace.changed', id: workspaceId }]
    default:
      return []
  }
}

function kindOf(event: EventName): string {
  return event.slice(0, event.indexOf('.'))
}

function itemOfChange({ workspaceId, event, subjectId, personId, atMs }: RecordedChange): Item {
  const id = event === 'workspace.changed' ? workspaceId : subjectId
  return { workspaceId, event, id, channelId: null, personId, atMs }
}
