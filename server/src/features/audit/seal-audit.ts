import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Context } from '../../context.ts'
import { FileMissing } from '../../infra/storage/storage.ts'
import { lockChains } from './audit-chain.store.ts'
import { findLinkAt, findSeal, listHeadsSince, saveSeal, type Seal, type SignedSeal } from './audit-seal.store.ts'
import { markMac } from './chain-hash.ts'
import { isAuthentic } from './sign-mark.ts'

const everyMs = 5 * 60_000

/** The content of a published file: the ends that changed since the file before it. */
type Published = {
  counter: number
  at: string
  previous: string | null
  heads: [chain: string, position: number, hash: string][]
}

/**
 * Publishes the ends of the audit logs in the media store and in the log of the server, where an administrator of the database cannot
 * change them. Each file names the hash of the one before it, so that one value that was noted elsewhere proves all of them.
 */
export async function sealAudit(ctx: Context): Promise<void> {
  const atMs = ctx.nowMs()
  const published = await ctx.db.system.transaction().execute(async (tx) => {
    if (!(await lockChains(tx))) return null
    const last = await findSeal(tx)
    if (last && !isAuthenticSeal(ctx, last)) {
      ctx.log.error({ counter: last.counter }, 'the published value about the audit logs was changed in the database')
      return null
    }
    if (last && atMs - last.at.getTime() < everyMs) return null
    const at = new Date(atMs)
    // An end that was changed by hand must not be published.
    const heads = (await listHeadsSince(tx, last?.at ?? new Date(0))).filter((head) => isAuthentic(ctx, 'head', head))
    if (last && heads.length === 0) {
      await saveSeal(tx, signSeal(ctx, { ...last, at }))
      return null
    }
    const counter = await nextCounter(ctx, last?.counter ?? 0)
    const file: Published = {
      counter,
      at: at.toISOString(),
      previous: last ? valueOf(last) : null,
      heads: heads.map(({ chain, position, hash }) => [chain, position, hash.toString('hex')]),
    }
    const body = JSON.stringify(file)
    const seal = { counter, at, hash: hashOf(body) }
    await saveSeal(tx, signSeal(ctx, seal))
    return { seal, body }
  })
  if (!published) return
  const { seal, body } = published
  await ctx.storage.put(keyOf(seal.counter), Readable.from([body]), { mimeType: 'application/json' })
  ctx.log.info(
    { auditValue: valueOf(seal) },
    'the ends of the audit logs were published; "carillon audit verify --since" takes this value',
  )
}

/** A file with the next number means that the database is older than what was published: it was restored or set back. */
async function nextCounter(ctx: Context, last: number): Promise<number> {
  let counter = last + 1
  while (await ctx.storage.head(keyOf(counter))) counter++
  if (counter > last + 1)
    ctx.log.error({ last, published: counter - 1 }, 'the audit logs in the database are older than what was published about them')
  return counter
}

/**
 * The time before which no entry may be added to a log: an entry that old was added by hand, or was taken out of its log. Null for an
 * installation that has never published anything.
 */
export async function oldestToLink(ctx: Context, seal: SignedSeal | undefined, lateMs: number): Promise<number | null> {
  if (seal && isAuthenticSeal(ctx, seal)) return Math.min(seal.at.getTime(), ctx.nowMs()) - lateMs
  return !seal && (await ctx.storage.head(keyOf(1))) === null ? null : ctx.nowMs() - lateMs
}

export function signSeal({ config: { secretKeys } }: Context, { counter, at, hash }: Seal): SignedSeal {
  const mac = markMac(secretKeys, secretKeys.sealing, 'seal', markOf({ counter, at, hash }))
  if (!mac) throw new Error('the first secret key is missing')
  return { counter, at, hash, keyId: secretKeys.sealing, mac }
}

export function isAuthenticSeal({ config: { secretKeys } }: Context, seal: SignedSeal): boolean {
  return markMac(secretKeys, seal.keyId, 'seal', markOf(seal))?.equals(seal.mac) ?? false
}

/** Authenticated like the end of a log, with its time in the place of a name. */
function markOf({ counter, at, hash }: Seal) {
  return { chain: at.toISOString(), position: counter, hash }
}

export type SinceFault = {
  chain: string
  position: number | null
  entryId: null
  fault: 'published file missing' | 'published end missing'
}
export type Since = { published: number; gone: number; faults: SinceFault[] }

/**
 * Compares the logs with everything that was published up to a value. `gone` are logs of workspaces and people that are no longer in this
 * installation.
 */
export async function verifySince(ctx: Context, value: string): Promise<Since> {
  const result: Since = { published: 0, gone: 0, faults: [] }
  const seen = new Set<string>()
  for (let expected: string | null = value; expected !== null;) {
    const file = await readPublished(ctx, expected)
    if (!file) {
      result.faults.push({ chain: expected, position: null, entryId: null, fault: 'published file missing' })
      return result
    }
    result.published++
    for (const [chain, position, hash] of file.heads) {
      // The newest end of a log proves the earlier ones.
      if (seen.has(chain)) continue
      seen.add(chain)
      const found = await findLinkAt(ctx.db.system, chain, position)
      if (found.hash?.toString('hex') === hash || found.isTrimmed) continue
      if (!found.hasOwner) result.gone++
      else result.faults.push({ chain, position, entryId: null, fault: 'published end missing' })
    }
    expected = file.previous
  }
  return result
}

/** Undefined if the file is missing or is not the one that was published. */
async function readPublished(ctx: Context, value: string): Promise<Published | undefined> {
  const [, counter = ''] = /^(\d{1,12})\.[\w-]{43}$/.exec(value) ?? []
  if (counter === '') return undefined
  try {
    const body = await text(await ctx.storage.get(keyOf(Number(counter))))
    return valueOf({ counter: Number(counter), hash: hashOf(body) }) === value ? (JSON.parse(body) as Published) : undefined
  } catch (error) {
    if (error instanceof FileMissing) return undefined
    throw error
  }
}

/** Not the id of a workspace. */
function keyOf(counter: number): string {
  return `${'0'.repeat(24)}/audit/${counter}`
}

function valueOf({ counter, hash }: Pick<Seal, 'counter' | 'hash'>): string {
  return `${counter}.${hash.toString('base64url')}`
}

function hashOf(body: string): Buffer {
  return createHash('sha256').update(body).digest()
}
