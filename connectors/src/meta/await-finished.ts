import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'

export const itemWaitsMs = [2_000, 3_000, 5_000, 10_000, 10_000] as const

type Question = { waitsMs: readonly number[]; isFinished: (creationId: string) => Promise<boolean> }

/** Waits until these containers are finished. It ends without them if that takes too long: the next call is then refused. */
export async function awaitFinished(
  http: Http,
  creationIds: readonly string[],
  { waitsMs, isFinished }: Question,
): Promise<void> {
  let pending = creationIds
  for (const waitMs of waitsMs) {
    await http.wait(waitMs)
    const finished = await Promise.all(pending.map(isFinished))
    pending = pending.filter((_, at) => !finished[at])
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
