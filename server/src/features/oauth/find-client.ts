import type { Context } from '../../context.ts'
import { EgressError } from '../../infra/egress/egress-error.ts'
import { throttleAttempt } from '../people/attempts/throttle-attempt.ts'
import { type ClientRow, findClientRow } from './client.store.ts'
import { addClient, cleanName, redirectsMax } from './register-client.ts'
import { findRedirectError } from './redirect-uri.ts'

/** A program that asks for access. `host` is where its document is, which only its owner can put there; null for others, whose name is a claim. */
export type Client = { id: string; name: string; host: string | null; redirectUris: readonly string[]; isBuiltIn: boolean }

const idLengthMax = 500
const freshMs = 3_600_000
/** The site of a program may be down, and people go on using the program. */
const staleMs = 7 * 86_400_000
const documentBytesMax = 5000
const documentMsMax = 5000
const fetchLimit = { name: 'documents of programs', max: 60, windowMs: 15 * 60_000 }

/**
 * The program with this id: one that we know, or for an address the one that the document there describes. `personId` asks, because only for
 * people who are signed in anything is fetched.
 */
export async function findClient(ctx: Context, id: string, personId: string): Promise<Client | null> {
  if (id === '' || id.length > idLengthMax) return null
  const known = await findClientRow(ctx.db.system, id)
  if (!/^https?:/i.test(id)) return known?.source === 'document' ? null : toClient(known)
  if (!isDocumentAddress(id)) return null
  const ageMs = known?.fetched_at ? ctx.nowMs() - known.fetched_at.getTime() : Number.POSITIVE_INFINITY
  if (ageMs < freshMs) return toClient(known)
  await throttleAttempt(ctx, fetchLimit, personId)
  const document = await fetchDocument(ctx, id)
  if (document === null) return ageMs < staleMs ? toClient(known) : null
  const at = new Date(ctx.nowMs())
  const row = { id, source: 'document' as const, ...document, created_at: known?.created_at ?? at, fetched_at: at }
  await addClient(ctx, row)
  return toClient({ ...row, fingerprint: null, used_at: known?.used_at ?? null })
}

function toClient(row: ClientRow | undefined): Client | null {
  if (!row) return null
  const { id, name, redirect_uris: redirectUris, source } = row
  return { id, name, redirectUris, host: source === 'document' ? new URL(id).host : null, isBuiltIn: source === 'built_in' }
}

/** The address of a document as it is written, without what two readers could read in two ways. */
function isDocumentAddress(id: string): boolean {
  if (!URL.canParse(id)) return false
  const url = new URL(id)
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === '' && !id.includes('#') && url.href === id
  return isPlain && url.pathname !== '/' && /^[a-z0-9.-]+$/.test(url.hostname)
}

type Document = Pick<ClientRow, 'name' | 'redirect_uris'>

/** Null: there is no document, or not one that describes this program. */
async function fetchDocument(ctx: Context, id: string): Promise<Document | null> {
  try {
    const { status, body } = await ctx.egress.request({
      method: 'GET',
      url: id,
      headers: { accept: 'application/json' },
      timeoutMs: documentMsMax,
      bytesMax: documentBytesMax,
      https: true,
    })
    return status === 200 ? readDocument(JSON.parse(body.toString('utf8')), id) : null
  } catch (error) {
    if (!(error instanceof EgressError) && !(error instanceof SyntaxError)) throw error
    ctx.log.info({ err: error, clientId: id }, 'the document of a program could not be read')
    return null
  }
}

function readDocument(document: unknown, id: string): Document | null {
  if (typeof document !== 'object' || document === null) return null
  const { client_id, client_name, redirect_uris, token_endpoint_auth_method: method } = document as Record<string, unknown>
  // The document itself says whose it is: a copy elsewhere is none.
  if (client_id !== id || (method !== undefined && method !== 'none')) return null
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > redirectsMax) return null
  const isGood = (uri: unknown): uri is string => typeof uri === 'string' && findRedirectError(uri) === null
  if (!redirect_uris.every(isGood)) return null
  return { name: cleanName(client_name) ?? new URL(id).host, redirect_uris }
}
