import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Allow, isAllowedAddress, isPublicAddress } from './address.ts'

export type Refusal = { ok: false; code: 'bad_url' | 'blocked_address'; reason: string }
export type UrlVerdict = { ok: true; url: URL } | Refusal

const lengthMax = 8192

const usualPorts: Record<string, readonly string[]> = { 'https:': ['', '443', '8443'], 'http:': ['', '80'] }

const metadataNames = new Set(['metadata.google.internal', 'metadata.goog', 'metadata', 'instance-data'])

/**
 * The rules that need no network: scheme, credentials, port, and the address when the host is one. A name passes here and is judged by
 * its addresses when it is resolved.
 */
export function checkUrl(raw: string, { https, allow }: { https: boolean; allow: Allow }): UrlVerdict {
  const url = raw.length <= lengthMax ? URL.parse(raw) : null
  if (url === null) return bad('The URL cannot be read.')
  if (url.protocol !== 'https:' && (https || url.protocol !== 'http:')) {
    return bad(https ? 'The URL must start with https://.' : 'The URL must start with https:// or http://.')
  }
  if (url.username !== '' || url.password !== '') return bad('The URL must not hold a user name or password.')

  const host = hostOf(url)
  if (isIP(host) !== 0) return checkDestination(url, [host], allow) ?? { ok: true, url }
  return checkName(host, allow) ?? checkNamePort(url, allow) ?? { ok: true, url }
}

/** The rules once the addresses are known: all of them must be public or opened, and unusual ports only where all are opened. */
export function checkDestination(
  { protocol, port }: { protocol: string; port: string },
  addresses: readonly string[],
  allow: Allow,
): Refusal | null {
  if (addresses.length === 0) return blocked('The host has no address.')
  if (addresses.every((ip) => isAllowedAddress(ip, allow))) return null
  if (!addresses.every((ip) => isPublicAddress(ip) || isAllowedAddress(ip, allow))) {
    return blocked('The host is not on the public internet.')
  }
  return isUsualPort(protocol, port) ? null : badPort(port)
}

/** The host without the brackets that a URL puts around a v6 address. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

function checkName(host: string, allow: Allow): Refusal | null {
  if (host.endsWith('.')) return bad('The host must not end with a dot.')
  if (metadataNames.has(host)) return blocked('The host is not on the public internet.')
  const isLocal = host === 'localhost' || host.endsWith('.localhost')
  if (isLocal && !isAllowedAddress('127.0.0.1', allow)) return blocked('The host is not on the public internet.')
  return null
}

/** With networks opened, a name may turn out to lie in one of them; that is judged when it is resolved. */
function checkNamePort({ protocol, port }: URL, allow: Allow): Refusal | null {
  return allow.length > 0 || isUsualPort(protocol, port) ? null : badPort(port)
}

function isUsualPort(protocol: string, port: string): boolean {
  return usualPorts[protocol]?.includes(port) ?? false
}

function badPort(port: string): Refusal {
  return bad(`Port ${port} is not allowed; use 443 or 8443.`)
}

function bad(reason: string): Refusal {
  return { ok: false, code: 'bad_url', reason }
}

function blocked(reason: string): Refusal {
  return { ok: false, code: 'blocked_address', reason }
}

/** Every address of a host. Passed in by tests that play a name server with bad manners. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

/** Asks the system, v4 first since more networks have it; calls for the same name at the same moment share one question. */
export function createLookup(): Lookup {
  const running = new Map<string, Promise<readonly string[]>>()
  return (hostname) => {
    const known = running.get(hostname)
    if (known) return known
    const scope = ask(hostname).finally(() => running.delete(hostname))
    running.set(hostname, scope)
    return scope
  }
}

async function ask(hostname: string): Promise<readonly string[]> {
  const answers = await systemLookup(hostname, { all: true, order: 'ipv4first' })
  return answers.map((answer) => answer.address)
}

/** An address is its own answer: it must not slip past the checks by needing no resolution. */
export async function resolveHost(hostname: string, lookup: Lookup): Promise<readonly string[]> {
  return isIP(hostname) === 0 ? lookup(hostname) : [hostname]
}
