import { createHash } from 'node:crypto'
import { schnorr } from '@noble/curves/secp256k1.js'
import { isFields, numberOf, textOf } from '../../http/fields.ts'

export type Event = {
  id: string
  pubkey: string
  created_at: number
  kind: number
  tags: string[][]
  content: string
  sig: string
}

/** The same key in every run, so that connections stay valid when the simulator restarts. */
export function secretOf(handle: string): string {
  return createHash('sha256').update(`a key of the simulator: ${handle}`).digest('hex')
}

export function publicKeyOf(secret: string): string {
  return Buffer.from(schnorr.getPublicKey(Buffer.from(secret, 'hex'))).toString('hex')
}

export function sign(secret: string, { kind, created_at, tags, content }: Omit<Event, 'id' | 'pubkey' | 'sig'>): Event {
  const pubkey = publicKeyOf(secret)
  const id = idOf({ pubkey, created_at, kind, tags, content })
  const sig = Buffer.from(schnorr.sign(Buffer.from(id, 'hex'), Buffer.from(secret, 'hex'))).toString('hex')
  return { id, pubkey, created_at, kind, tags, content, sig }
}

function idOf({ pubkey, created_at, kind, tags, content }: Omit<Event, 'id' | 'sig'>): string {
  return createHash('sha256')
    .update(JSON.stringify([0, pubkey, created_at, kind, tags, content]))
    .digest('hex')
}

const hex64 = /^[\da-f]{64}$/
const hex128 = /^[\da-f]{128}$/

/** Undefined for anything that NIP-01 does not call an event. */
export function readEvent(value: unknown): Event | undefined {
  if (!isFields(value)) return undefined
  const { id, pubkey, sig, content } = value
  const [kind, createdAt] = [numberOf(value['kind']), numberOf(value['created_at'])]
  const tags = readTags(value['tags'])
  if (typeof id !== 'string' || typeof pubkey !== 'string' || typeof sig !== 'string' || typeof content !== 'string')
    return undefined
  if (!hex64.test(id) || !hex64.test(pubkey) || !hex128.test(sig) || !tags) return undefined
  if (kind === undefined || createdAt === undefined || !Number.isInteger(kind) || !Number.isInteger(createdAt)) return undefined
  return { id, pubkey, created_at: createdAt, kind, tags, content, sig }
}

function readTags(value: unknown): string[][] | undefined {
  if (!Array.isArray(value)) return undefined
  const tags: string[][] = []
  for (const tag of value) {
    if (!Array.isArray(tag) || !tag.every((part) => typeof part === 'string')) return undefined
    tags.push(tag)
  }
  return tags
}

export function hasOwnId(event: Event): boolean {
  return idOf(event) === event.id
}

export function isSigned({ id, pubkey, sig }: Event): boolean {
  try {
    return schnorr.verify(Buffer.from(sig, 'hex'), Buffer.from(id, 'hex'), Buffer.from(pubkey, 'hex'))
  } catch {
    return false
  }
}

export function tagOf({ tags }: Event, name: string): string | undefined {
  return textOf(tags.find(([first]) => first === name)?.[1])
}
