import { expect, test } from 'vitest'
import { cidOfBlob, cidOfRecord } from './cid.ts'

test('content ids follow the specification', () => {
  // Two known values: the empty map in DAG-CBOR, and the empty file as raw bytes.
  expect(cidOfRecord({})).toBe('bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua')
  expect(cidOfBlob(Buffer.alloc(0))).toBe('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku')
})

test('a content id depends on every value but not on the order of keys', () => {
  const ref = { $link: cidOfBlob(Buffer.from('bell')) }
  expect(cidOfRecord({ text: 'é', n: [1, 300, -5, true, null], ref })).toBe(
    cidOfRecord({ ref, n: [1, 300, -5, true, null], text: 'é' }),
  )
  expect(cidOfRecord({ text: 'é', n: 70_000 })).not.toBe(cidOfRecord({ text: 'é', n: 70_001 }))
})
