import { cutText, type Account } from '@carillon/connectors'
import { problem } from '../../infra/problem/problem.ts'

/** Longer than any id of an honest server. */
export const idLengthMax = 500
const nameLengthMax = 255
const addressLengthMax = 2_000

/**
 * An address from a platform, if it can be shown as a link. A server that a person chose may answer with anything, such as a `javascript:`
 * address or a megabyte.
 */
export function webAddressOf(text: string | null): string | null {
  if (text === null || text.length > addressLengthMax) return null
  const protocol = URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? text : null
}

/** An account as it is stored. Names are cut; an id is not, because it would be that of another account. */
export function boundAccount({ id, handle, displayName, avatarUrl, appUserId }: Account): Account {
  if (Math.max(id.length, appUserId?.length ?? 0) > idLengthMax)
    throw problem('connect_refused', { message: 'The platform answered with an account id that is too long.' })
  return {
    id,
    handle: cutText(handle, nameLengthMax),
    displayName: cutText(displayName, nameLengthMax),
    avatarUrl: webAddressOf(avatarUrl),
    ...(appUserId !== undefined && { appUserId }),
  }
}
