import { createHmac } from 'node:crypto'
import { apiWords } from '@carillon/connectors/api-words'
import type { RedactedValue, TranscriptCall } from '@carillon/contract'

/** What a recording knows about the values that it replaces. */
type Redaction = {
  /** Makes the same placeholder of the same value, in every process that takes part in the recording. It is gone with the recording. */
  salt: string
  /** Words of the account itself, such as its handle. They are replaced even where they are also words of the platform. */
  own: readonly string[]
  /** What paths on this server begin with, if it is below another address. It is left out like the host. */
  basePath?: string
}

export type RawExchange = {
  method: string
  url: string
  requestHeaders: Readonly<Record<string, string>>
  /** The body as far as it can be read again. A stream cannot. */
  requestBody: string | Uint8Array | ReadableStream<Uint8Array> | null
  status: number | null
  responseHeaders: Readonly<Record<string, string>>
  responseBody: string | null
  ms: number
}

type Place = { redaction: Redaction; key: string; isRefusal: boolean; depth: number }

const depthMax = 12
/** Lists of other posts are not needed in full; their first elements show their form. */
const elementsMax = 2
const smallNumberMax = 1000
const bodyLengthMax = 500_000

/**
 * One request and its answer without secrets, ids, names, addresses and texts. A value is kept only if it is known to be harmless: a word of
 * the platform's interface that our own source contains, a small number, true, false or null, a type of content, or the code of an error.
 * Everything else becomes a placeholder, whatever it is and however it is encoded.
 */
export async function redact(exchange: RawExchange, redaction: Redaction): Promise<Omit<TranscriptCall, 'kind' | 'step'>> {
  const { method, url, requestHeaders, requestBody, status, responseHeaders, responseBody, ms } = exchange
  const place = { redaction, key: '', isRefusal: false, depth: 0 }
  const answer = { ...place, isRefusal: (status ?? 0) >= 400 }
  const { pathname, searchParams } = new URL(url)
  const requestType = requestHeaders['content-type'] ?? ''
  return {
    method,
    path: redactPath(belowBase(pathname, redaction), place),
    query: searchParams.size === 0 ? null : redactPairs([...searchParams], place),
    request: { headers: redactHeaders(requestHeaders, place), body: await redactBody(requestBody, requestType, place) },
    status,
    response: {
      headers: redactHeaders(responseHeaders, answer),
      body: await redactBody(responseBody, responseHeaders['content-type'] ?? '', answer),
    },
    ms: Math.round(ms),
  }
}

function belowBase(pathname: string, { basePath = '' }: Redaction): string {
  return basePath !== '' && pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname
}

function redactPath(pathname: string, place: Place): string {
  return pathname
    .split('/')
    .map((segment) => (segment === '' || isVersion(segment) ? segment : replace(decode(segment), place)))
    .join('/')
}

function isVersion(segment: string): boolean {
  return /^v?\d{1,2}(?:\.\d{1,2})?$/.test(segment)
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Headers that our connectors neither write nor read are left out: they tell about the way to the platform, not about the platform. */
function redactHeaders(headers: Readonly<Record<string, string>>, place: Place): Record<string, RedactedValue> {
  const used = Object.entries(headers).filter(([name]) => isUsed(name))
  return Object.fromEntries(
    used
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [
        name,
        name === 'content-type' ? mimeTypeOf(value) : redactText(value, { ...place, key: name, isRefusal: false }),
      ]),
  )
}

/** Every request has these, and they say nothing. */
const plainHeaders = new Set(['accept', 'user-agent', 'content-length'])
const usedHeaders = new Set([...apiWords].map((word) => word.toLowerCase()))

function isUsed(name: string): boolean {
  return usedHeaders.has(name.toLowerCase()) && !plainHeaders.has(name.toLowerCase())
}

function mimeTypeOf(value: string): string {
  const [type = ''] = value.split(';')
  return /^(?:application|image|video|text|multipart)\/[a-z0-9.+-]{1,80}$/.test(type.trim()) ? type.trim() : 'another type'
}

async function redactBody(body: RawExchange['requestBody'], type: string, place: Place): Promise<RedactedValue> {
  const mimeType = mimeTypeOf(type)
  if (body === null || body === '') return null
  if (body instanceof ReadableStream) return { stream: mimeType }
  if (mimeType === 'multipart/form-data') return redactForm(body, type, place)
  if (typeof body !== 'string') return { file: mimeType, bytes: body.length }
  if (body.length > bodyLengthMax) return { text: 'too long for a transcript' }
  if (mimeType === 'application/x-www-form-urlencoded') return redactPairs([...new URLSearchParams(body)], place)
  return redactText(body, place)
}

async function redactForm(body: string | Uint8Array, type: string, place: Place): Promise<RedactedValue> {
  try {
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    const parts = [...form].map(([name, value]): [string, RedactedValue] => {
      if (typeof value === 'string') return [name, redactText(value, { ...place, key: name })]
      return [name, { file: mimeTypeOf(value.type), bytes: value.size }]
    })
    return Object.fromEntries(parts.map(([name, value]) => [redactKey(name, place), value]))
  } catch {
    return { form: 'it could not be read' }
  }
}

function redactPairs(pairs: readonly [string, string][], place: Place): RedactedValue {
  return Object.fromEntries(pairs.map(([name, value]) => [redactKey(name, place), redactText(value, { ...place, key: name })]))
}

/** A text that may be JSON, as bodies and some headers are. */
function redactText(text: string, place: Place): RedactedValue {
  if (/^\s*[[{]/.test(text)) {
    try {
      return redactValue(JSON.parse(text), place)
    } catch {
      // Not JSON after all.
    }
  }
  return replace(text, place)
}

function redactValue(value: unknown, place: Place): RedactedValue {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return redactNumber(value, place)
  if (typeof value === 'string') return replace(value, place)
  if (place.depth >= depthMax) return 'nested too deeply for a transcript'
  const inner = { ...place, depth: place.depth + 1 }
  if (Array.isArray(value)) {
    const some = value.slice(0, elementsMax).map((each) => redactValue(each, inner))
    return value.length > elementsMax ? [...some, `${value.length - elementsMax} more`] : some
  }
  if (typeof value !== 'object') return null
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [redactKey(key, inner), redactValue(each, { ...inner, key })]),
  )
}

/** The name of a field is kept if it looks like one: a platform may have fields that we do not know, and they are what a transcript is for. */
function redactKey(key: string, place: Place): string {
  const isField = apiWords.has(key) || /^[$@]?[A-Za-z][A-Za-z_]{0,39}$/.test(key) || /^[a-z]+(?:[._][a-z]+)+$/.test(key)
  return isField && !isOwn(key, place) ? key : placeholder('id', key, place)
}

function redactNumber(value: number, place: Place): RedactedValue {
  if (Math.abs(value) <= smallNumberMax) return value
  // The codes of errors may be large.
  if (place.isRefusal && /code$/i.test(place.key) && Number.isInteger(value)) return value
  return Number.isInteger(value) ? placeholder('id', String(value), place) : 'number'
}

function replace(text: string, place: Place): string {
  if (isHarmless(text, place)) return text
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return 'time'
  return placeholder(kindOf(text, place.key), text, place)
}

function isHarmless(text: string, place: Place): boolean {
  if (text === '') return true
  // A list, such as the fields that are asked for.
  if (text.split(',').every((word) => apiWords.has(word) && !isOwn(word, place))) return true
  if (/^\d{1,3}$/.test(text) || text === 'true' || text === 'false') return true
  return place.isRefusal && isErrorCode(text, place)
}

const codeFields = new Set(['code', 'error', 'errorCode', 'error_code', 'type'])

/** The code of an error that we do not know yet, such as InvalidRequest, NOT_FOUND or rate_limited. */
function isErrorCode(text: string, place: Place): boolean {
  if (!codeFields.has(place.key) || isOwn(text, place)) return false
  return /^(?:[A-Z][a-z]+(?:[A-Z][a-z]+){1,6}|[A-Z][A-Za-z]{2,30}(?:Exception|Error)|[A-Z]+(?:_[A-Z]+){1,6}|[a-z]+(?:_[a-z]+){1,6})$/.test(
    text,
  )
}

function isOwn(text: string, { redaction: { own } }: Place): boolean {
  return own.some((each) => each.toLowerCase() === text.toLowerCase())
}

function kindOf(text: string, key: string): string {
  if (/token|secret|password|jwt|signature|authorization|dpop|verifier/i.test(key)) return 'secret'
  if (/^https?:\/\//.test(text)) return 'url'
  return /\s/.test(text) ? 'text' : 'id'
}

/** Several processes may record at the same time, so a placeholder is made of the value; `numberPlaceholders` makes it readable. */
function placeholder(kind: string, value: string, { redaction: { salt } }: Place): string {
  return `‹${kind}:${createHmac('sha256', salt).update(value).digest('hex').slice(0, 32)}›`
}

/** Gives the placeholders numbers in the order in which they appear: `id-1` is the same value wherever it stands. */
export function numberPlaceholders<T>(value: T): T {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  const text = JSON.stringify(value).replaceAll(/‹([a-z]+):([0-9a-f]{32})›/g, (_whole, kind: string, hash: string) => {
    const known = names.get(hash)
    if (known !== undefined) return known
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    names.set(hash, `${kind}-${count}`)
    return `${kind}-${count}`
  })
  return JSON.parse(text) as T
}
