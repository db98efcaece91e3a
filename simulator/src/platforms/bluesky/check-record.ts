import { isFields, listOf, type Fields } from '../../http/fields.ts'
import { countGraphemes } from '../../text/graphemes.ts'
import { invalidRequest } from './errors.ts'

const graphemesMax = 300
const bytesMax = 3000
export const postCollection = 'app.bsky.feed.post'

/** The checks of the lexicon for posts. For records of other collections only the $type is checked. */
export function checkRecord(collection: string, record: Fields): void {
  const wrong = (reason: string) => invalidRequest(`Invalid ${collection} record: ${reason}`)
  if (record['$type'] !== collection)
    throw invalidRequest(`Invalid $type: expected ${collection}, got ${String(record['$type'])}`)
  if (collection !== postCollection) return
  const { text, createdAt, langs, tags, reply } = record
  if (typeof text !== 'string') throw wrong('Record must have the property "text"')
  if (Buffer.byteLength(text) > bytesMax) throw wrong(`Record/text must not be longer than ${bytesMax} characters`)
  if (countGraphemes(text) > graphemesMax) throw wrong(`Record/text must not be longer than ${graphemesMax} graphemes`)
  if (typeof createdAt !== 'string' || !isDateTime(createdAt)) throw wrong('Record/createdAt must be an valid atproto datetime')
  if (listOf(langs).length > 3) throw wrong('Record/langs must not have more than 3 elements')
  if (listOf(tags).length > 8) throw wrong('Record/tags must not have more than 8 elements')
  if (reply !== undefined && !(isFields(reply) && isStrongRef(reply['root']) && isStrongRef(reply['parent']))) {
    throw wrong('Record/reply must have the properties "root" and "parent"')
  }
  if (record['facets'] !== undefined) checkFacets(record['facets'], Buffer.from(text, 'utf8'), wrong)
}

function isDateTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
}

export function isStrongRef(value: unknown): value is { uri: string; cid: string } {
  return (
    isFields(value) && typeof value['uri'] === 'string' && value['uri'].startsWith('at://') && typeof value['cid'] === 'string'
  )
}

/** Facets are ranges of UTF-8 bytes. An offset in characters would mark the wrong text or split a character. */
function checkFacets(facets: unknown, text: Buffer, wrong: (reason: string) => Error): void {
  for (const [at, facet] of listOf(facets).entries()) {
    const index = isFields(facet) ? facet['index'] : undefined
    const features = isFields(facet) ? listOf(facet['features']) : []
    if (!isFields(index) || features.length === 0)
      throw wrong(`Record/facets/${at} must have the properties "index" and "features"`)
    const { byteStart, byteEnd } = index
    if (!isOffset(byteStart) || !isOffset(byteEnd))
      throw wrong(`Record/facets/${at}/index must have byteStart and byteEnd as integers`)
    const isInside = byteStart < byteEnd && byteEnd <= text.length
    if (!isInside || isContinuationByte(text[byteStart]) || isContinuationByte(text[byteEnd]))
      throw wrong(`Record/facets/${at}/index is not a byte range of the text`)
  }
}

function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

function isContinuationByte(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
