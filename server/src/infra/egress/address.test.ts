import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAllowedAddress, isPublicAddress, isSameAddress, parseAllow } from './address.ts'

describe('refused', () => {
  const private4 = '10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255'
  const local4 = '0.0.0.0 0.1.2.3 127.0.0.1 127.255.255.255 169.254.169.254 169.254.170.2'
  const shared4 = '100.64.0.1 100.127.255.255 100.100.100.200 168.63.129.16 192.0.0.192 192.88.99.1 198.18.0.1 198.19.255.255'
  const rest4 = '192.0.2.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255'
  const mapped = '::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::ffff:10.0.0.1 ::127.0.0.1 ::7f00:1 ::ffff:0:7f00:1'
  const tunnels = '64:ff9b::a9fe:a9fe 64:ff9b::808:808 64:ff9b:1::1 2002:7f00:1:: 2002:808:808:: 2001::1 2001:0:1::1'
  const special6 = ':: ::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 feff::1 fd00:ec2::254 fc00::1 fdff::1 5f00::1 100::1 ff02::1'
  const rest6 = '2001:db8::1 3fff::1 2001:2::1 2001:20::1 4000::1 1::1 2606:4700::1111%eth0'
  const nonsense = [
    '',
    'localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '017700000001',
    '1.2.3',
    '1.2.3.4.5',
    '08.8.8.8',
    '[::1]',
    '1.1.1.1 ',
  ]
  const all = [private4, local4, shared4, rest4, mapped, tunnels, special6, rest6].flatMap((list) => list.split(' '))

  test.each([...all, ...nonsense])('%j', (ip) => {
    expect(isPublicAddress(ip)).toBe(false)
  })
})

describe('public', () => {
  const all =
    '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255'
  const more = '172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 168.63.129.17'
  const six = '2606:4700:4700::1111 2a00:1450:4001:80b::200e 2003::1 ::ffff:8.8.8.8 ::ffff:808:808'
  test.each(`${all} ${more} ${six}`.split(' '))('%s', (ip) => {
    expect(isPublicAddress(ip)).toBe(true)
  })
})

test('a v4 address is judged alike in every v6 form that carries it', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      expect(isPublicAddress(`::ffff:${ip}`)).toBe(isPublicAddress(ip))
      expect(isSameAddress(`::ffff:${ip}`, ip)).toBe(true)
    }),
  )
})

test('no v6 address outside 2000::/3 is public', () => {
  const outside = fc.integer({ min: 1, max: 0xffff }).filter((first) => first < 0x2000 || first > 0x3fff)
  fc.assert(
    fc.property(outside, (first) => {
      expect(isPublicAddress(`${first.toString(16)}:1:2:3:4:5:6:7`)).toBe(false)
    }),
  )
})

describe('the list of opened networks', () => {
  test('takes networks and single addresses, and nothing beside them', () => {
    const allow = parseAllow('127.0.0.0/8, ::1 10.1.2.3')
    for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '10.1.2.3', '::ffff:127.0.0.1'])
      expect(isAllowedAddress(ip, allow)).toBe(true)
    for (const ip of ['128.0.0.1', '::2', '10.1.2.4', 'localhost', '']) expect(isAllowedAddress(ip, allow)).toBe(false)
  })

  test('is empty by default', () => {
    expect(parseAllow('')).toEqual([])
    expect(parseAllow([])).toEqual([])
  })

  test.each(['localhost', '10.0.0.0/33', '10.0.0.0/', '10/8', '::/129', '10.0.0.0/8x', '*'])(
    '%j is not read as something else',
    (word) => {
      expect(() => parseAllow(word)).toThrow('is not a network')
    },
  )
})
