import { writeWarning } from '@carillon/contract'
import { defineConnector, type Figures, readEach } from '../kit/connector.ts'
import { cutText } from '../kit/cut-text.ts'
import { isOfShape, parseStaged } from '../kit/is-of-shape.ts'
import { parseJson } from '../kit/parse-json.ts'
import { webUrl } from '../kit/web-address.ts'
import { attach, auth } from './auth.ts'
import { classify } from './errors.ts'
import { isGenuine, signEvent } from './event.ts'
import { findNote } from './find.ts'
import { addressOf, npubOf } from './keys.ts'
import { manifest } from './manifest.ts'
import { deletionKind, noteKind, queryAll, relaysOf, sendToAll } from './relay.ts'
import { settings } from './settings.ts'
import { noteOf, stage } from './stage.ts'
import { Profile, StagedNote } from './wire.ts'

const nameLengthMax = 100
/** A relay answers with 500 events at most, whatever is asked for. */
const reactionsMax = 500
const dayMs = 86_400_000

export const nostr = defineConnector({
  manifest,
  settings,
  auth,
  origin: null,
  classify,
  attach,

  async account(client) {
    const publicKey = client.credentials.extra?.['publicKey'] ?? client.account.id
    const { events } = await queryAll(relaysOf(client), { kinds: [0], authors: [publicKey], limit: 1 })
    const [newest] = events
      .filter((event) => event.pubkey === publicKey && isGenuine(event))
      .toSorted((a, b) => b.created_at - a.created_at)
    const read: unknown = newest ? parseJson(newest.content) : {}
    const profile = isOfShape(Profile, read) ? read : {}
    const textOf = (value: unknown) => (typeof value === 'string' ? cutText(value.trim(), nameLengthMax) : '')
    // `_@bells.example` stands for the whole domain (NIP-05).
    const handle = textOf(profile.nip05).replace(/^_@/, '') || npubOf(publicKey)
    const displayName = textOf(profile.display_name) || textOf(profile.name) || handle
    return { id: publicKey, handle, displayName, avatarUrl: webUrl(profile.picture) }
  },

  // Files need a server that the person names.
  capabilities: {
    async read({ credentials }) {
      return { rules: credentials.extra?.['mediaServer'] ? {} : { formats: ['text'] } }
    },
    currentMs: dayMs,
  },

  needsStage: () => true,

  stage,

  // Safe to repeat: it is the same event with the same id, which a relay keeps once.
  async submit(client, _draft, staged, { key }) {
    const event = signEvent(noteOf(parseStaged(StagedNote, staged), key), client.credentials.accessToken)
    const relays = relaysOf(client)
    const failures = await sendToAll(relays, event)
    const [first] = relays.filter(({ url }) => !failures.has(url))
    const missed = [...failures.keys()].map((url) => new URL(url).host).join(', ')
    const warnings = missed === '' ? [] : [writeWarning('servers_missed', { platform: manifest.name, servers: missed })]
    return { state: 'published', postId: event.id, postUrl: addressOf(event.id, event.pubkey, first?.url ?? ''), warnings }
  },

  find: findNote,

  // A request: relays that follow NIP-09 no longer show the note, and copies elsewhere may remain.
  async remove(client, postId) {
    const tags = [
      ['e', postId],
      ['k', String(noteKind)],
    ]
    const parts = { kind: deletionKind, created_at: Math.floor(client.http.nowMs() / 1000), tags, content: '' }
    await sendToAll(relaysOf(client), signEvent(parts, client.credentials.accessToken))
  },

  metrics(client, postIds) {
    return readEach(postIds, async (postId): Promise<Figures> => {
      const answer = await queryAll(relaysOf(client), { kinds: [1, 6, 7, 16, 1111], '#e': [postId], limit: reactionsMax })
      // Some relays answer with more than was asked for.
      const named = answer.events.filter(({ tags }) => tags.some(([name, id]) => name === 'e' && id === postId))
      const events = [...new Map(named.map((event) => [event.id, event])).values()]
      const authors = (kinds: readonly number[]) =>
        new Set(events.filter(({ kind, content }) => kinds.includes(kind) && content !== '-').map(({ pubkey }) => pubkey)).size
      return {
        likes: authors([7]),
        shares: authors([6, 16]),
        comments: events.filter(({ kind }) => kind === 1 || kind === 1111).length,
      }
    })
  },
})
