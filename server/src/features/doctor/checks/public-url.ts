import { isIP } from 'node:net'
import { fail, ok, warn, type Check } from '../check.ts'

export const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '::'])

export const publicUrl: Check = {
  name: 'public-url',
  isQuick: true,
  async run({ config: { publicUrl: text } }) {
    if (!URL.canParse(text)) return fail(`CARILLON_PUBLIC_URL is "${text}", which is not a URL.`, example)
    const { hostname, protocol, pathname, search } = new URL(text)
    if (protocol !== 'https:' && protocol !== 'http:') return fail(`CARILLON_PUBLIC_URL is "${text}".`, example)
    if (everyAddress.has(hostname)) return fail(`People cannot open ${text}: it stands for all addresses of a machine.`, example)
    if (pathname !== '/' || search !== '')
      return fail(`CARILLON_PUBLIC_URL has a path, and Carillon is served at the root of a host.`, example)
    if (protocol === 'https:' || isLoopback(hostname)) return ok(`People open ${text}.`)
    return warn(
      `People open ${text} without https: passwords can be read on the way, and passkeys and most platforms do not work.`,
      'Put a proxy with TLS in front, and set CARILLON_PUBLIC_URL to its address.',
    )
  },
}

const example = 'Set it to the address that people type, for example https://carillon.example'

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
}
