import ipaddr from 'ipaddr.js'

/**
 * The network that an address is counted as: an IPv4 address itself, and the first 64 bits of an IPv6 address. One customer of a provider
 * has at least so many IPv6 addresses that counting single ones would limit nothing.
 */
export function clientNetwork(address: string): string {
  // Without the zone of a link-local address.
  const [ip = ''] = address.split('%')
  if (!ipaddr.isValid(ip)) return address
  const parsed = ipaddr.process(ip)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
