import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followLiveUpdates } from './live-updates.ts'

/** Guarantee: a page that was left holds no stream, also if it gets the browser's lock only afterwards. */

class FakeSource extends EventTarget {
  static readonly OPEN = 1
  static readonly CLOSED = 2
  readyState = FakeSource.OPEN
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    sources.push(this)
  }
  close(): void {
    this.readyState = FakeSource.CLOSED
  }
  say(name: string, ids: readonly string[]): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify({ ids }) }))
  }
}

const sources: FakeSource[] = []
/** The lock is granted when the test says so, as the browser does: in a task of its own. */
let grant = () => {}

beforeEach(() => {
  sources.length = 0
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('navigator', {
    locks: {
      request: (_name: string, _options: object, work: () => Promise<void>) =>
        new Promise<void>((resolve, reject) => {
          grant = () => void work().then(resolve, reject)
        }),
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the stream is opened with the lock, and closed when the page is left', () => {
  const stop = followLiveUpdates(new QueryClient(), 'tower')
  expect(sources).toEqual([])
  grant()
  expect(sources.map(({ url }) => url)).toEqual(['/api/workspaces/tower/live'])
  stop()
  expect(sources.map(({ readyState }) => readyState)).toEqual([FakeSource.CLOSED])
})

test('a lock that is granted after the page was left opens no stream', () => {
  const stop = followLiveUpdates(new QueryClient(), 'tower')
  stop()
  grant()
  expect(sources).toEqual([])
})

test('what the stream says is loaded again here and told to the other tabs', async () => {
  const queryClient = new QueryClient()
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries')
  const other = new BroadcastChannel('carillon-live-tower')
  const told = new Promise<unknown>((resolve) => other.addEventListener('message', ({ data }) => resolve(data), { once: true }))
  const stop = followLiveUpdates(queryClient, 'tower')
  grant()
  sources[0]?.say('media.changed', ['picture'])
  expect(invalidate).toHaveBeenCalledWith({ queryKey: ['media.get', 'tower', 'picture'] })
  expect(await told).toEqual({ name: 'media.changed', ids: ['picture'] })
  stop()
  other.close()
})
