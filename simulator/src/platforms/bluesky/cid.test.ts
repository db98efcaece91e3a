import { expect, test } from 'vitest'
import { cidOfBlob, cidOfRecord } from './cid.ts'

test('content ids are the true ones', () => {
  // Both are constants of the IPLD world: the empty map in DAG-CBOR, and the empty file as raw bytes.
  expect(cidOfRecord({})).toBe('bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua')
  expect(cidOfBlob(Buffer.alloc(0))).toBe('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku')
})

test('the order of keys does not matter and every value does', () => {
  const ref = { $link: cidOfBlob(Buffer.from('bell')) }
  expect(cidOfRecord({ text: 'é', n: [1, 300, -5, true, null], ref })).toBe(
    cidOfRecord({ ref, n: [1, 300, -5, true, null], text: 'é' }),
  )
  expect(cidOfRecord({ text: 'é', n: 70_000 })).not.toBe(cidOfRecord({ text: 'é', n: 70_001 }))
})
