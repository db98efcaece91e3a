import type { Call } from '../../http/call.ts'
import { connectionHeader } from '../../http/call.ts'
import { textOf, textsOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { markRepeated, type SubmitRequest } from '../../state/submits.ts'
import { refusal } from './errors.ts'
import { type Event, hasOwnId, isSigned, readEvent, secretOf, sign, tagOf } from './event.ts'
import { matches, readFilters, type Filter } from './filter.ts'
import { mediaOf, textOfNote } from './note.ts'
import { createTalk, readMessage } from './talk.ts'

/** Which relays have the event. One server stands for several: `/nostr` itself, and others at `/nostr/relay/:relay`. */
type Note = Post & { event: Event; relays: string[] }

const eventBytesMax = 65_536
const aheadSecondsMax = 900
const noteKinds = [1, 1111]

/** What relays besides the first one do: by the beginning of their name. */
const rules: Readonly<Record<string, string>> = {
  closed: 'blocked: only friends write here',
  work: 'pow: difficulty 0 is less than 28',
  paid: 'restricted: not an active paid member',
  busy: 'rate-limited: slow down there chief',
}

export function eventRoutes(context: PlatformContext, talk: ReturnType<typeof createTalk>): Route[] {
  const notes = context.createTable<Note>('notes')
  const profileOf = profiles(context)

  const publish = (call: Call, account: Account): Reply => {
    const event = readSent(call)
    if (!event) throw refusal('invalid: not an event')
    const relay = relayOf(call)
    checkEvent(event, context.now())
    checkRelay(call, relay, event.pubkey)
    const known = notes.get(event.id)
    if (known?.deleted) throw refusal('deleted: the author asked for its deletion')
    if (known) {
      markRepeated(call)
      const isHere = known.relays.includes(relay)
      if (!isHere) known.relays.push(relay)
      return ok(event, isHere ? 'duplicate: already have this event' : '')
    }
    if (event.kind === 5) removeNamed(event, account)
    if (noteKinds.includes(event.kind)) keep(call, event, account)
    return ok(event, '')
  }

  const keep = (call: Call, event: Event, account: Account) => {
    const media = mediaOf(context, event)
    const text = textOfNote(event)
    const url = `${context.origin}/${event.id}`
    const head = { platform: context.name, id: event.id, account, text, url, replyTo: parentOf(event), atMs: context.now() }
    const request = { created_at: String(event.created_at), ...Object.fromEntries(shownTags(event)) }
    const note: Note = { ...head, deleted: false, media, request, event, relays: [relayOf(call)] }
    notes.set(event.id, note)
    for (const { id } of media) {
      const stored = context.simulator.media.find(context.name, id)
      if (stored) stored.attachedTo = event.id
    }
    context.commit(note, call)
  }

  const removeNamed = ({ tags }: Event, account: Account) => {
    for (const [name, id = ''] of tags) {
      const note = name === 'e' ? notes.get(id) : undefined
      if (note?.account === account) note.deleted = true
    }
  }

  const read = (call: Call): Reply => {
    const [, subscription, ...rest] = readMessage(call.body.toString('utf8'))
    const relay = relayOf(call)
    if (relay.startsWith('members') && !talk.authorOf(connectionOf(call))) throw refusal('auth-required: only members read here')
    const found = readFilters(rest).flatMap((filter) => select(filter, relay))
    const events = [...new Map(found.map((event) => [event.id, event])).values()]
    return json(200, [...events.map((event) => ['EVENT', subscription, event]), ['EOSE', subscription]])
  }

  const select = (filter: Filter, relay: string): Event[] => {
    const kept = [...notes.values()].filter((note) => !note.deleted && note.relays.includes(relay) && context.isVisible(note))
    const named = textsOf(filter.fields['authors']).flatMap((key) => context.accounts.findById(key) ?? [])
    const reactions = textsOf(filter.fields['#e']).flatMap((id) => reactionsTo(notes.get(id)))
    const all = [...kept.map(({ event }) => event), ...named.map(profileOf), ...reactions]
    const sorted = all.filter((event) => matches(filter, event)).toSorted((a, b) => b.created_at - a.created_at)
    return sorted.slice(0, filter.limit)
  }

  const concerned = (call: Call): Account | undefined => {
    const [, , fields] = readMessage(call.body.toString('utf8'))
    const [filter] = readFilters([fields])
    const ids = [...textsOf(filter?.fields['ids']), ...textsOf(filter?.fields['#e'])]
    const [author] = textsOf(filter?.fields['authors']).flatMap((key) => context.accounts.findById(key) ?? [])
    return author ?? ids.flatMap((id) => notes.get(id)?.account ?? [])[0]
  }

  const admit = (call: Call): Reply => {
    const event = readSent(call)
    const connection = connectionOf(call)
    if (!event || event.kind !== 22_242) throw refusal('invalid: not an event')
    if (!hasOwnId(event) || !isSigned(event)) throw refusal('invalid: bad signature')
    if (tagOf(event, 'challenge') !== connection) throw refusal('invalid: another challenge')
    if (!URL.parse(tagOf(event, 'relay') ?? '')?.pathname.startsWith('/nostr')) throw refusal('invalid: another relay')
    talk.admit(connection, event.pubkey)
    return ok(event, '')
  }

  const checkRelay = (call: Call, relay: string, key: string) => {
    const rule = Object.entries(rules).find(([name]) => relay.startsWith(name))?.[1]
    if (rule !== undefined) throw refusal(rule)
    if (relay.startsWith('members') && talk.authorOf(connectionOf(call)) !== key)
      throw refusal('auth-required: only members write here')
  }

  return ['', '/relay/:relay'].flatMap((place): Route[] => [
    {
      method: 'POST',
      path: `${place}/ws/EVENT`,
      operation: (call) => operationOf(readSent(call)),
      charges: [{ limit: 'events', cost: 1 }],
      readSubmit,
      handle: (call, { account }) => publish(call, account),
    },
    {
      method: 'POST',
      path: `${place}/ws/REQ`,
      operation: (call) => questionOf(call),
      open: true,
      findAccount: concerned,
      answer: read,
    },
    { method: 'POST', path: `${place}/ws/COUNT`, operation: 'other', open: true, answer: refuseCount },
    { method: 'POST', path: `${place}/ws/AUTH`, operation: 'other', open: true, answer: admit },
    { method: 'GET', path: place === '' ? '/' : place, operation: 'other', open: true, answer: describeRelay },
  ])
}

function ok({ id }: Event, said: string): Reply {
  return json(200, [['OK', id, true, said]])
}

function checkEvent(event: Event, nowMs: number): void {
  if (Buffer.byteLength(JSON.stringify(event)) > eventBytesMax) throw refusal(`invalid: event too large: ${eventBytesMax}`)
  if (!hasOwnId(event)) throw refusal('invalid: bad event id')
  if (!isSigned(event)) throw refusal('invalid: bad signature')
  if (event.created_at > nowMs / 1000 + aheadSecondsMax) throw refusal('invalid: created_at too late')
}

/** Relays describe themselves to whoever asks for it (NIP-11). */
function describeRelay(): Reply {
  const limitation = { max_message_length: 131_072, max_limit: 500, auth_required: false, payment_required: false }
  const nips = [1, 9, 11, 42]
  return json(200, { name: 'Relay of the simulator', software: 'carillon-simulator', supported_nips: nips, limitation })
}

/** Few relays count (NIP-45). */
function refuseCount(): Reply {
  throw refusal('error: COUNT is not supported here')
}

export function readSent({ body }: Call): Event | undefined {
  return readEvent(readMessage(body.toString('utf8'))[1])
}

function operationOf(event: Event | undefined): 'submit' | 'remove' | 'other' {
  if (event?.kind === 5) return 'remove'
  return event && noteKinds.includes(event.kind) ? 'submit' : 'other'
}

function questionOf({ body }: Call): 'account' | 'metrics' | 'find' {
  const [, , fields] = readMessage(body.toString('utf8'))
  const [filter] = readFilters([fields])
  if (filter?.fields['#e'] !== undefined) return 'metrics'
  return textsOf(filter?.fields['kinds']).includes('0') ? 'account' : 'find'
}

function readSubmit(call: Call): SubmitRequest | undefined {
  const event = readSent(call)
  if (!event || !noteKinds.includes(event.kind)) return undefined
  return { operation: 'publish_event', text: textOfNote(event), key: event.id, replyTo: parentOf(event) }
}

function relayOf({ path }: Call): string {
  return /\/relay\/([^/]+)/.exec(path)?.[1] ?? ''
}

function connectionOf({ headers }: Call): string {
  return textOf(headers[connectionHeader]) ?? ''
}

/** NIP-10: the parent is the one that is marked as such, or the root if nothing is. */
function parentOf({ tags }: Event): string | null {
  const marked = (marker: string) => tags.find(([name, , , mark]) => name === 'e' && mark === marker)?.[1]
  return marked('reply') ?? marked('root') ?? null
}

function shownTags({ tags }: Event): [string, string][] {
  return tags.filter(([name]) => name !== 'imeta').map(([name = '', ...values]) => [`tag ${name}`, values.join(' ')])
}

/** One profile for each account, signed once. */
function profiles(context: PlatformContext): (account: Account) => Event {
  const made = new Map<string, Event>()
  return ({ id, handle }) => {
    const { host } = new URL(context.origin)
    const content = JSON.stringify({ name: handle, nip05: `${handle}@${host}`, picture: context.avatarUrlOf(handle) })
    const known = made.get(id)
    if (known?.content === content) return known
    const profile = sign(secretOf(handle), { kind: 0, created_at: 1_700_000_000, tags: [], content })
    made.set(id, profile)
    return profile
  }
}

/** What other people did with a note, as far as a test set it: a kind for each figure, each by another key. */
function reactionsTo(note: Note | undefined): Event[] {
  const { likes = 0, comments = 0, shares = 0 } = note?.figures ?? {}
  const counts = [
    { kind: 7, count: likes, content: '+' },
    { kind: 1, count: comments, content: 'ding' },
    { kind: 6, count: shares, content: '' },
  ]
  // A dislike is a reaction too.
  const disliked = likes > 0 ? [{ kind: 7, count: 1, content: '-' }] : []
  return [...counts, ...disliked].flatMap(({ kind, count, content }) =>
    Array.from({ length: count }, (_, n) => {
      const key = (what: string) => secretOf(`${what} ${note?.id} ${kind} ${content} ${n}`)
      const tags = [['e', note?.id ?? '']]
      return { id: key('id'), pubkey: key('key'), created_at: 1_700_000_000, kind, tags, content, sig: '0'.repeat(128) }
    }),
  )
}
