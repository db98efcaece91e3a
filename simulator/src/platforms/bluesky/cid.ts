import { hash } from 'node:crypto'
import * as dagCbor from '@ipld/dag-cbor'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { create as createDigest } from 'multiformats/hashes/digest'
import { isFields, type Fields } from '../../http/fields.ts'
import { invalidRequest } from './errors.ts'

const sha256Code = 0x12

export function cidOfBlob(bytes: Buffer): string {
  return cidOf(raw.code, bytes)
}

export function cidOfRecord(record: Fields): string {
  return cidOf(dagCbor.code, dagCbor.encode(withLinks(record)))
}

function cidOf(codec: number, bytes: Uint8Array): string {
  return CID.createV1(codec, createDigest(sha256Code, hash('sha256', bytes, 'buffer'))).toString()
}

/** A link is `{"$link": "<cid>"}` in JSON and a CID in DAG-CBOR. */
function withLinks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLinks)
  if (!isFields(value)) return value
  const link = value['$link']
  if (typeof link === 'string' && Object.keys(value).length === 1) return parseLink(link)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withLinks(item)]))
}

function parseLink(link: string): CID {
  try {
    return CID.parse(link)
  } catch {
    throw invalidRequest(`Invalid CID: ${link}`)
  }
}
