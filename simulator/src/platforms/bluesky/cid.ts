import { hash } from 'node:crypto'
import type { Fields } from '../../http/fields.ts'
import { toBase32 } from './base32.ts'
import { encodeRecord } from './dag-cbor.ts'

const rawCodec = 0x55
const cborCodec = 0x71

export function cidOfBlob(bytes: Buffer): string {
  return cidOf(bytes, rawCodec)
}

export function cidOfRecord(record: Fields): string {
  return cidOf(encodeRecord(record), cborCodec)
}

/** Version 1, codec, sha2-256, 32 bytes. */
function cidOf(bytes: Buffer, codec: number): string {
  return `b${toBase32(Buffer.concat([Buffer.from([1, codec, 0x12, 0x20]), hash('sha256', bytes, 'buffer')]))}`
}
