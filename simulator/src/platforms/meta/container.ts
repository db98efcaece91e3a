import type { Call } from '../../http/call.ts'
import { textsOf } from '../../http/fields.ts'
import type { Account, Media } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'

/** The program that fetches files and pages: developers.facebook.com/docs/sharing/webmasters/web-crawlers. */
export const metaUserAgent = 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'

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
  /** When the error shows in the status. */
  failsAtMs: number
  publishedAtMs: number | undefined
}

/** Parameters that name media or the state of a container. The page of a post shows the media itself. */
export const mediaParameters = ['image_url', 'video_url', 'alt_text', 'user_tags', 'children', 'is_carousel_item', 'access_token']

const lifetimeMs = 86_400_000

/**
 * A new container. If its media must be fetched, it is not ready until `readyAtMs` is set. A plain text is not ready at once either, nor is
 * a carousel whose items are (github.com/gitroomhq/postiz-app pull request 2047, github.com/exileum/meta-mcp issue 142).
 */
export function createMetaContainer<Failure>(
  context: PlatformContext,
  parts: Pick<MetaContainer<Failure>, 'id' | 'account' | 'isItem' | 'children'>,
  { isFetched }: { isFetched: boolean },
): MetaContainer<Failure> {
  const readyAtMs = isFetched ? Infinity : context.readyAtMs()
  return { ...parts, media: [], createdAtMs: context.now(), readyAtMs, error: undefined, failsAtMs: 0, publishedAtMs: undefined }
}

export function stateOfContainer(container: MetaContainer<unknown>, nowMs: number): ContainerState {
  const { publishedAtMs, createdAtMs, readyAtMs, children } = container
  if (publishedAtMs !== undefined) return 'PUBLISHED'
  if (createdAtMs + lifetimeMs <= nowMs) return 'EXPIRED'
  if (errorOf(container, nowMs) !== undefined) return 'ERROR'
  return Math.max(readyAtMs, ...children.map((child) => child.readyAtMs)) <= nowMs ? 'FINISHED' : 'IN_PROGRESS'
}

/** The state a lookup reports. It can lag behind a publish: Meta does not document that the status is up to date at once. */
export function shownStateOf(container: MetaContainer<unknown>, context: PlatformContext): ContainerState {
  const { publishedAtMs } = container
  const nowMs = context.now()
  if (publishedAtMs !== undefined && publishedAtMs + (context.settings.containerStatusDelayMs ?? 0) > nowMs) return 'FINISHED'
  return stateOfContainer(container, nowMs)
}

/** Whether the container can be published now. A published one can be published again if the setting says so. */
export function canPublish(container: MetaContainer<unknown>, context: PlatformContext): boolean {
  const state = stateOfContainer(container, context.now())
  return state === 'FINISHED' || (state === 'PUBLISHED' && context.settings.secondPublish === 'repeat')
}

export function errorOf<Failure>({ error, failsAtMs, children }: MetaContainer<Failure>, nowMs: number): Failure | undefined {
  if (error !== undefined && failsAtMs <= nowMs) return error
  return children.find((child) => child.error !== undefined && child.failsAtMs <= nowMs)?.error
}

/** Sets when the media is ready, or when its processing fails. */
export function endProcessing<Failure>(
  container: MetaContainer<Failure>,
  { readyAtMs, failure }: { readyAtMs: number; failure: Failure | undefined },
): void {
  if (failure === undefined) container.readyAtMs = readyAtMs
  else {
    container.error = failure
    container.failsAtMs = readyAtMs
  }
}

export function mediaOf({ media, children }: MetaContainer<unknown>): Media[] {
  return [...media, ...children.flatMap((child) => child.media)]
}

/** The ids of the carousel items in a request, as a list or separated by commas. */
export function readChildren(call: Call): string[] {
  return textsOf(call.fields?.['children'] ?? call.query.get('children') ?? undefined).flatMap((ids) => ids.split(','))
}
