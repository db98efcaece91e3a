import { isFields, type Fields } from '../../http/fields.ts'
import { fromBase32 } from './base32.ts'

// One scratch for all records: encoding is the hottest part of a write, and it never yields.
let scratch = Buffer.alloc(64 * 1024)
let length = 0

/** The record as DAG-CBOR: the order of its keys does not matter, every other byte does. */
export function encodeRecord(record: Fields): Buffer {
  length = 0
  writeValue(record)
  return scratch.subarray(0, length)
}

function writeValue(value: unknown): void {
  if (typeof value === 'string') writeText(value)
  else if (typeof value === 'number') writeHead(value < 0 ? 1 : 0, value < 0 ? -1 - value : value)
  else if (typeof value === 'boolean') writeByte(value ? 0xf5 : 0xf4)
  else if (Array.isArray(value)) {
    writeHead(4, value.length)
    for (const item of value) writeValue(item)
  } else if (isFields(value)) writeMap(value)
  else writeByte(0xf6)
}

function writeMap(value: Fields): void {
  const keys = Object.keys(value)
  const link = value['$link']
  if (typeof link === 'string' && keys.length === 1) {
    writeLink(link)
    return
  }
  keys.sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
  writeHead(5, keys.length)
  for (const key of keys) {
    writeText(key)
    writeValue(value[key])
  }
}

/** Tag 42 around the binary CID, with the leading zero the format asks for. */
function writeLink(cid: string): void {
  const bytes = fromBase32(cid.slice(1))
  writeByte(0xd8)
  writeByte(0x2a)
  writeHead(2, bytes.length + 1)
  writeByte(0)
  reserve(bytes.length)
  length += bytes.copy(scratch, length)
}

function writeText(text: string): void {
  const size = Buffer.byteLength(text)
  writeHead(3, size)
  reserve(size)
  length += scratch.write(text, length, 'utf8')
}

function writeHead(major: number, size: number): void {
  const type = major << 5
  reserve(9)
  if (size < 24) scratch[length++] = type | size
  else if (size < 0x100) {
    scratch[length++] = type | 24
    scratch[length++] = size
  } else if (size < 0x1_0000) {
    scratch[length++] = type | 25
    length = scratch.writeUInt16BE(size, length)
  } else if (size < 0x1_0000_0000) {
    scratch[length++] = type | 26
    length = scratch.writeUInt32BE(size, length)
  } else {
    scratch[length++] = type | 27
    length = scratch.writeBigUInt64BE(BigInt(size), length)
  }
}

function writeByte(byte: number): void {
  reserve(1)
  scratch[length++] = byte
}

function reserve(size: number): void {
  if (length + size <= scratch.length) return
  const larger = Buffer.alloc((length + size) * 2)
  scratch.copy(larger, 0, 0, length)
  scratch = larger
}
