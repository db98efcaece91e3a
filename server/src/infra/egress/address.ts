import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Networks a person who runs Carillon has opened by name: `CARILLON_EGRESS_ALLOW`. */
export type Allow = readonly (readonly [Address, number])[]

/**
 * Everything that is not a public host. ipaddr.js knows most of these as special ranges too; the list is written out so that
 * an update of the library cannot open one.
 */
const refusedV4 = networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's platform services and Alibaba's metadata service live outside the ranges above or deserve a line of their own.
  '168.63.129.16/32',
  '100.100.100.200/32',
])

const refusedV6 = networks([
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

/** The only block of which public v6 hosts have addresses. */
const globalV6 = networks(['2000::/3'])
/** `::ffff:a.b.c.d` and the older `::a.b.c.d`: a v4 address in other clothes. */
const mappedV6 = networks(['::ffff:0:0/96', '::/96'])

/** May a user send us there? Anything that is not clearly a public host's address is refused. */
export function isPublicAddress(ip: string): boolean {
  const address = canonical(ip)
  if (address === null) return false
  if (address.range() !== 'unicast') return false
  if (address.kind() === 'ipv4') return !isWithin(address, refusedV4)
  return isWithin(address, globalV6) && !isWithin(address, refusedV6)
}

export function isAllowedAddress(ip: string, allow: Allow): boolean {
  const address = canonical(ip)
  return address !== null && isWithin(address, allow)
}

export function isSameAddress(one: string, other: string): boolean {
  const address = canonical(one)
  return address !== null && address.toString() === canonical(other)?.toString()
}

/** Reads a list such as `127.0.0.0/8, ::1`; a word that is no network stops the start rather than being skipped. */
export function parseAllow(cidrs: string | readonly string[]): Allow {
  const words = typeof cidrs === 'string' ? cidrs.split(/[\s,]+/) : cidrs
  return networks(words.map((word) => word.trim()).filter((word) => word !== ''))
}

function networks(cidrs: readonly string[]): Allow {
  return cidrs.map((cidr) => {
    const [ip = '', bits] = cidr.split('/')
    const family = isIP(ip)
    const whole = family === 4 ? 32 : 128
    const size = bits === undefined ? whole : Number(bits)
    const isSize = bits === undefined || (/^\d{1,3}$/.test(bits) && size <= whole)
    if (family === 0 || ip.includes('%') || !isSize) throw new Error(`"${cidr}" is not a network such as 10.0.0.0/8`)
    return [ipaddr.parse(ip), size] as const
  })
}

/** One form for each address, whatever it was written as; null when it is no address, or one tied to an interface. */
function canonical(ip: string): Address | null {
  if (isIP(ip) === 0 || ip.includes('%')) return null
  const address = ipaddr.parse(ip)
  // `::` and `::1` lie in the old v4 block by number only.
  const isOwn = address.kind() === 'ipv4' || address.range() === 'loopback' || address.range() === 'unspecified'
  if (isOwn || !isWithin(address, mappedV6)) return address
  return ipaddr.fromByteArray(address.toByteArray().slice(12))
}

function isWithin(address: Address, list: Allow): boolean {
  return list.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}
