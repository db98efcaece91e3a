import type { Client, Found, Sent } from '../kit/connector.ts'
import { isOfShape } from '../kit/is-of-shape.ts'
import { idOf, isGenuine, type SignedEvent } from './event.ts'
import { addressOf } from './keys.ts'
import { noteKind, queryAll, relaysOf } from './relay.ts'
import type { Settings } from './settings.ts'
import { noteOf } from './stage.ts'
import { StagedNote } from './wire.ts'

const notesMax = 500
/** A note that was staged, and waited for a relay or for a restore, is older than its send. */
const waitedSecondsMax = 86_400
const clockSecondsMax = 900

/** The id of the note is known before it is sent, so every relay can be asked for exactly that one. */
export async function findNote(client: Client, { staged, handle, window, knownPostIds }: Sent<Settings>): Promise<Found> {
  const { id: pubkey } = client.account
  const relays = relaysOf(client)
  const found = (id: string): Found =>
    knownPostIds.has(id)
      ? { state: 'unknown' }
      : { state: 'published', postId: id, postUrl: addressOf(id, pubkey, relays[0]?.url ?? '') }

  if (isOfShape(StagedNote, staged)) {
    const id = idOf({ ...noteOf(staged, handle.key), pubkey })
    const { events, failures } = await queryAll(relays, { ids: [id], limit: 1 })
    if (events.some((event) => event.id === id)) return found(id)
    return failures.size === 0 ? { state: 'absent', proof: 'reference' } : { state: 'unknown' }
  }
  // What was staged is forgotten, and with it the id. The key is in a tag that no relay searches, so the notes of that time are read.
  const since = Math.floor(window.fromMs / 1000) - waitedSecondsMax
  const until = Math.ceil(window.untilMs / 1000) + clockSecondsMax
  const { events, failures, isCut } = await queryAll(relays, {
    authors: [pubkey],
    kinds: [noteKind],
    since,
    until,
    limit: notesMax,
  })
  const isOwn = ({ pubkey: author, tags }: SignedEvent) =>
    author === pubkey && tags.some(([name, key]) => name === 'nonce' && key === handle.key)
  const own = events.find((event) => isOwn(event) && isGenuine(event))
  if (own) return found(own.id)
  return failures.size === 0 && !isCut ? { state: 'absent', proof: 'listing' } : { state: 'unknown' }
}
