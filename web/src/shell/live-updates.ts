import type { QueryClient } from '@tanstack/react-query'

/** What the server says about a change: which things, by whom, when. Never their content. */
type LiveEvent = { name: string; ids: readonly string[] }

/** What must be loaded again after an event. The first is about single things, the second about lists of them. */
const affected: Readonly<Record<string, { single: readonly string[]; lists: readonly string[] }>> = {
  'post.changed': {
    single: ['content.get', 'content.timeline'],
    lists: ['content.calendar', 'content.list', 'queues.slots', 'workspaces.attention', 'series.list'],
  },
  'channel.changed': {
    single: ['content.get', 'content.timeline'],
    lists: ['content.calendar', 'content.list', 'workspaces.attention'],
  },
  'connection.changed': { single: [], lists: ['workspaces.connections', 'workspaces.attention'] },
  'notice.changed': { single: [], lists: ['notices.list'] },
  'media.changed': { single: ['media.get'], lists: ['media.list', 'media.folders'] },
  'workspace.changed': {
    single: ['workspaces.get'],
    lists: ['workspaces.list', 'workspaces.members', 'queues.list', 'queues.slots', 'series.list', 'labels.list', 'notes.list'],
  },
}

const listDelayMs = 300
const pollAfterMs = 30_000
const pollEveryMs = 15_000
const watchEveryMs = 5000

/**
 * Loads again what changed on the server. One tab of the browser holds the stream and tells the others: a browser opens at most six
 * connections to a host over HTTP/1.1. Without a stream for 30 seconds, everything is loaded again every 15 seconds.
 */
export function followLiveUpdates(queryClient: QueryClient, workspaceId: string): () => void {
  const stop = new AbortController()
  const channel = new BroadcastChannel(`carillon-live-${workspaceId}`)
  const apply = createApply(queryClient, workspaceId)
  channel.addEventListener('message', ({ data }: MessageEvent<LiveEvent>) => apply(data))
  const hold = () =>
    holdStream(workspaceId, stop.signal, (event) => {
      apply(event)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only this origin
      channel.postMessage(event)
    })
  // Without HTTPS a browser has no locks: each tab then holds a stream of its own.
  const locks = navigator.locks as LockManager | undefined
  const held = locks ? locks.request(`carillon-live-${workspaceId}`, { signal: stop.signal }, hold) : hold()
  void held.catch(() => {
    // The tab was closed while it waited for the lock.
  })
  return () => {
    stop.abort()
    channel.close()
  }
}

function createApply(queryClient: QueryClient, workspaceId: string): (event: LiveEvent) => void {
  const waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const invalidate = (operation: string, ...rest: string[]) =>
    void queryClient.invalidateQueries({ queryKey: [operation, workspaceId, ...rest] })
  // The first change is shown at once. A batch of posts that is published together must not load the lists once for each.
  const loadLists = () => {
    timer = waiting.size === 0 ? undefined : setTimeout(loadLists, listDelayMs)
    for (const operation of waiting) invalidate(operation)
    waiting.clear()
  }
  return ({ name, ids }) => {
    if (name === 'reset') return void queryClient.invalidateQueries()
    const { single, lists } = affected[name] ?? { single: [], lists: [] }
    for (const operation of single) {
      // An empty list means that anything of this kind may have changed.
      if (ids.length === 0) invalidate(operation)
      for (const id of ids) invalidate(operation, id)
    }
    for (const operation of lists) waiting.add(operation)
    if (timer === undefined) loadLists()
  }
}

function holdStream(workspaceId: string, signal: AbortSignal, onEvent: (event: LiveEvent) => void): Promise<void> {
  // The lock may be granted after the page was left, and then nobody would close the stream.
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    let source = openStream(workspaceId, onEvent)
    let lastOpenMs = performance.now()
    let lastPollMs = lastOpenMs
    const watch = setInterval(() => {
      const nowMs = performance.now()
      if (source.readyState === EventSource.OPEN) lastOpenMs = nowMs
      // The browser itself repeats a lost connection, but not an answer that is an error: a proxy gives one while the server restarts.
      else if (source.readyState === EventSource.CLOSED) {
        source = openStream(workspaceId, onEvent)
        source.addEventListener('open', () => onEvent({ name: 'reset', ids: [] }), { once: true })
      }
      if (nowMs - lastOpenMs > pollAfterMs && nowMs - lastPollMs > pollEveryMs) {
        lastPollMs = nowMs
        onEvent({ name: 'reset', ids: [] })
      }
    }, watchEveryMs)
    signal.addEventListener('abort', () => {
      source.close()
      clearInterval(watch)
      resolve()
    })
  })
}

function openStream(workspaceId: string, onEvent: (event: LiveEvent) => void): EventSource {
  const source = new EventSource(`/api/workspaces/${workspaceId}/live`)
  for (const name of [...Object.keys(affected), 'reset'])
    source.addEventListener(name, (event) => onEvent({ name, ids: readIds(event.data) }))
  return source
}

function readIds(data: unknown): string[] {
  const { ids } = JSON.parse(String(data) || '{}') as { ids?: unknown }
  return Array.isArray(ids) ? ids.map(String) : []
}
