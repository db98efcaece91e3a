import type { Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { pick, timestampOf } from '../meta/graph-fields.ts'
import { toShortcode } from '../meta/to-shortcode.ts'
import type { ContainerKind } from './container.ts'

export type Thread = Post & { kind: ContainerKind; replies: number }

/** Reads name the media types differently than writes. */
const readKinds: Record<ContainerKind, string> = { TEXT: 'TEXT_POST', IMAGE: 'IMAGE', VIDEO: 'VIDEO', CAROUSEL: 'CAROUSEL_ALBUM' }

/** The requested fields and always the id, as Graph replies. */
export function viewThread(context: PlatformContext, thread: Thread, fields: readonly string[]): Record<string, unknown> {
  const first = thread.media[0]
  const all: Record<string, unknown> = {
    media_product_type: 'THREADS',
    media_type: readKinds[thread.kind],
    permalink: thread.url,
    owner: { id: thread.account.id },
    username: thread.account.handle,
    text: thread.text === '' ? undefined : thread.text,
    timestamp: timestampOf(thread.atMs),
    shortcode: toShortcode(thread.id),
    is_quote_post: false,
    is_reply: thread.replyTo !== null,
    replied_to: thread.replyTo === null ? undefined : { id: thread.replyTo },
    media_url: first ? `${context.simulator.url}/media/${context.name}/${first.id}` : undefined,
    alt_text: first?.alt,
  }
  return { ...pick(all, fields), id: thread.id }
}
