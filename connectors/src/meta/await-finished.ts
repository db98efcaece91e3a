import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'

const waitsMs = [2_000, 3_000, 5_000, 10_000, 10_000]

/** Waits until these containers are finished. It ends without them if that takes too long: the next call is then refused. */
export async function awaitFinished(
  http: Http,
  creationIds: readonly string[],
  readState: (creationId: string) => Promise<string | null>,
): Promise<void> {
  let pending = creationIds
  for (const waitMs of waitsMs) {
    await http.wait(waitMs)
    const states = await Promise.all(pending.map(readState))
    pending = pending.filter((_, at) => states[at] === null || states[at] === 'IN_PROGRESS')
    if (pending.length === 0) return
  }
}

/**
 * The state of a container, or null if Meta does not show it. That says nothing about the container: for hours, Meta has denied containers
 * that it published when asked to.
 */
export async function readStateIfShown<State>(read: () => Promise<State>): Promise<State | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'gone') return null
    throw error
  }
}
