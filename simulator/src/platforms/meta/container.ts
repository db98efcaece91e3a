import type { Call } from '../../http/call.ts'
import { textsOf } from '../../http/fields.ts'
import type { Account, Media } from '../../state/entities.ts'

export type ContainerState = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'

/** What the containers of Threads and Instagram have in common. `Failure` is how the platform reports a bad file. */
export type MetaContainer<Failure> = {
  id: string
  account: Account
  isItem: boolean
  /** The items of a carousel. Its media, its readiness and its error come from them once they are fetched. */
  children: readonly MetaContainer<Failure>[]
  media: Media[]
  createdAtMs: number
  readyAtMs: number
  error: Failure | undefined
  published: boolean
}

const lifetimeMs = 86_400_000

/** A new container. If its media must be fetched, it is not ready until `readyAtMs` is set. */
export function createMetaContainer<Failure>(
  parts: Pick<MetaContainer<Failure>, 'id' | 'account' | 'isItem' | 'children'>,
  { nowMs, isFetched }: { nowMs: number; isFetched: boolean },
): MetaContainer<Failure> {
  const readyAtMs = isFetched ? Infinity : nowMs
  return { ...parts, media: [], createdAtMs: nowMs, readyAtMs, error: undefined, published: false }
}

export function stateOfContainer(container: MetaContainer<unknown>, nowMs: number): ContainerState {
  const { published, createdAtMs, readyAtMs, children } = container
  if (published) return 'PUBLISHED'
  if (createdAtMs + lifetimeMs <= nowMs) return 'EXPIRED'
  if (errorOf(container) !== undefined) return 'ERROR'
  return Math.max(readyAtMs, ...children.map((child) => child.readyAtMs)) <= nowMs ? 'FINISHED' : 'IN_PROGRESS'
}

export function errorOf<Failure>({ error, children }: MetaContainer<Failure>): Failure | undefined {
  return error ?? children.find((child) => child.error !== undefined)?.error
}

export function mediaOf({ media, children }: MetaContainer<unknown>): Media[] {
  return [...media, ...children.flatMap((child) => child.media)]
}

/** The ids of the carousel items in a request, as a list or separated by commas. */
export function readChildren(call: Call): string[] {
  return textsOf(call.fields?.['children'] ?? call.query.get('children') ?? undefined).flatMap((ids) => ids.split(','))
}
