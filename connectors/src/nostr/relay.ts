import type { Client } from '../kit/connector.ts'
import type { Conversation, Http } from '../kit/http.ts'
import { isOfShape } from '../kit/is-of-shape.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { refusedBy } from './errors.ts'
import { type EventParts, type SignedEvent, signEvent } from './event.ts'
import { Event, Messages } from './wire.ts'

/** A relay that is asked or told something, and the key with which to sign in if it wants to know who asks. */
export type Relay = { http: Http; url: string; secretKey: string }

/** Kinds of events: a note, a request to delete something, and a signature for a relay. */
export const noteKind = 1
export const deletionKind = 5
const admissionKind = 22_242

const talkMsMax = 10_000
/** Below what a transport reads. */
const eventBytesMax = 700_000
const subscription = 'carillon'

export type Filter = Readonly<Record<string, unknown>> & { limit: number }

/** The first relay is the server of the connection, and the others are named with the key. */
export function relaysOf({ http, credentials }: Pick<Client, 'http' | 'credentials'>): Relay[] {
  const others = (credentials.extra?.['relays'] ?? '').split(' ').filter((url) => url !== '')
  const urls = new Set([http.origin.replace(/\/$/, ''), ...others])
  return [...urls].map((url) => ({ http, url, secretKey: credentials.accessToken }))
}

/** What the relays whose answers failed said, by relay. */
type Failures = ReadonlyMap<string, PlatformError>

/** Sends an event to every relay. It is published as soon as one of them has it; if none has, the error that is most in doubt is thrown. */
export async function sendToAll(relays: readonly Relay[], event: SignedEvent): Promise<Failures> {
  const { failures } = await askAll(relays, (relay) => sendEvent(relay, event))
  return failures
}

/** Asks every relay. Signatures are not checked, as that takes time: several relays may have the same event, and one may make it up. */
export async function queryAll(
  relays: readonly Relay[],
  filter: Filter,
): Promise<{ events: SignedEvent[]; failures: Failures; isCut: boolean }> {
  const { answers, failures } = await askAll(relays, (relay) => query(relay, filter))
  return { events: answers.flat(), failures, isCut: answers.some(({ length }) => length >= filter.limit) }
}

async function askAll<T>(
  relays: readonly Relay[],
  ask: (relay: Relay) => Promise<T>,
): Promise<{ answers: T[]; failures: Failures }> {
  const failures = new Map<string, PlatformError>()
  const answers: T[] = []
  const one = async (relay: Relay) => {
    try {
      answers.push(await ask(relay))
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      failures.set(relay.url, error)
    }
  }
  await Promise.all(relays.map(one))
  if (answers.length === 0) throw worstOf([...failures.values()])
  return { answers, failures }
}

/** While one relay may have it, nothing is certain; while one may take it later, nothing is final. */
const byDoubt = ['unknown', 'limited', 'unavailable', 'auth', 'gone', 'rejected'] as const

function worstOf(errors: readonly PlatformError[]): PlatformError {
  const [worst] = errors.toSorted((a, b) => byDoubt.indexOf(a.kind) - byDoubt.indexOf(b.kind))
  return worst ?? new PlatformError({ kind: 'unavailable', platformCode: null, message: 'No relay is named.' })
}

async function sendEvent(relay: Relay, event: SignedEvent): Promise<void> {
  const message = JSON.stringify(['EVENT', event])
  const isAnswer = ([kind, id]: readonly unknown[]) => kind === 'OK' && id === event.id
  const said = await talk(relay, { method: 'POST', message, isAnswer })
  const [, , isTaken, words] = said.findLast(isAnswer) ?? []
  if (isTaken === true) return
  if (isTaken !== false) throw unanswered()
  const reason = typeof words === 'string' ? words : ''
  // Relays before 2023 called a repeat a refusal.
  if (!reason.startsWith('duplicate:')) throw refusedBy(reason, relay.http.nowMs())
}

async function query(relay: Relay, filter: Filter): Promise<SignedEvent[]> {
  const message = JSON.stringify(['REQ', subscription, filter])
  const isAnswer = ([kind, id]: readonly unknown[]) => (kind === 'EOSE' || kind === 'CLOSED') && id === subscription
  const said = await talk(relay, { method: 'GET', message, isAnswer })
  const end = said.findLast(isAnswer)
  if (end?.[0] === 'CLOSED') throw refusedQuestion(refusedBy(typeof end[2] === 'string' ? end[2] : '', relay.http.nowMs()))
  const events = said.filter(([kind, id]) => kind === 'EVENT' && id === subscription).map(([, , event]) => event)
  if (!end && events.length < filter.limit && !isFull(events)) throw unanswered()
  return events.filter((event) => isOfShape(Event, event))
}

/** A question changes nothing, so nothing is in doubt; and no answer is final for the post. */
function refusedQuestion(error: PlatformError): PlatformError {
  if (error.kind !== 'unknown' && error.kind !== 'rejected') return error
  const { platformCode, message, platformMessage } = error
  return new PlatformError({ kind: 'unavailable', platformCode, message, platformMessage })
}

function isFull(events: readonly unknown[]): boolean {
  return JSON.stringify(events).length > eventBytesMax / 2
}

function unanswered(): PlatformError {
  return new PlatformError({ kind: 'unknown', platformCode: null, message: 'The relay did not answer to this event.' })
}

type Talk = { method: 'GET' | 'POST'; message: string; isAnswer: (message: readonly unknown[]) => boolean }

/** Says one thing to a relay and returns all that it said. If it asks who we are first, the question is answered, once (NIP-42). */
async function talk({ http, url, secretKey }: Relay, { method, message, isAnswer }: Talk): Promise<(readonly unknown[])[]> {
  let challenge: string | null = null
  let admissionId: string | null = null
  let bytes = 0
  const conversation: Conversation = {
    opening: [message],
    next(text) {
      const said = readMessage(text)
      const [kind, first, second, third] = said
      bytes += text.length
      if (kind === 'AUTH' && typeof first === 'string') challenge = first
      if (kind === 'OK' && first === admissionId && admissionId !== null) return second === true ? [message] : 'end'
      if (kind === 'EVENT' && bytes > eventBytesMax) return 'end'
      if (!isAnswer(said)) return []
      const words = kind === 'OK' ? third : second
      const isAsked = typeof words === 'string' && words.startsWith('auth-required:')
      if (!isAsked || challenge === null || admissionId !== null) return 'end'
      const admission = signEvent(admissionOf(url, challenge, http.nowMs()), secretKey)
      admissionId = admission.id
      return [JSON.stringify(['AUTH', admission])]
    },
  }
  const call = { method, path: url, conversation, timeoutMs: talkMsMax, returns: Messages } as const
  return http.call(call)
}

function admissionOf(url: string, challenge: string, nowMs: number): EventParts {
  const tags = [
    ['relay', url.replace(/^http/, 'ws')],
    ['challenge', challenge],
  ]
  return { kind: admissionKind, created_at: Math.floor(nowMs / 1000), tags, content: '' }
}

function readMessage(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
