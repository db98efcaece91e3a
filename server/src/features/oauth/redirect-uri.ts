/** Schemes that a browser handles itself, or whose addresses are read as code. */
const refusedSchemes = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'intent:',
  'javascript:',
  'mailto:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
])

const lengthMax = 500
/** URL accepts more in a name, such as a semicolon, which would end a directive of a content security policy. */
const hostName = /^[a-z0-9.-]*$/

/** Why a person must not be sent there with a code; null if they may. */
export function findRedirectError(text: string): string | null {
  if (text.length > lengthMax || !/^[\x21-\x7E]+$/.test(text) || !URL.canParse(text)) return 'A redirect URI is not an address.'
  const url = new URL(text)
  if (url.hash !== '' || text.includes('#')) return 'A redirect URI has a fragment.'
  if (url.username !== '' || url.password !== '') return 'A redirect URI has a password.'
  if (isLoopback(url)) return null
  if (!hostName.test(url.hostname)) return 'A redirect URI has a host that is not accepted.'
  if (url.protocol === 'https:') return null
  if (url.protocol === 'http:') return 'A redirect URI without https is accepted only for this computer itself (127.0.0.1).'
  if (refusedSchemes.has(url.protocol) || !/^[a-z][a-z0-9+.-]{1,60}:$/.test(url.protocol))
    return 'A redirect URI has a scheme that is not accepted.'
  return null
}

/** Compared as a whole. Only the port of a program on the person's own computer may differ: it takes a free one each time (RFC 8252, 7.3). */
export function matchesRedirect(registered: readonly string[], given: string): boolean {
  if (findRedirectError(given) !== null) return false
  return registered.includes(given) || (isLoopback(new URL(given)) && registered.map(withoutPort).includes(withoutPort(given)))
}

/** The address without a port that changes with each start of a program. */
export function withoutPort(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (!isLoopback(url)) return text
  url.port = ''
  return url.href
}

export type RedirectTarget = { kind: 'computer' } | { kind: 'host'; host: string } | { kind: 'app'; scheme: string }

/** Where the answer goes, for the person who decides. */
export function describeRedirect(text: string): RedirectTarget {
  const url = new URL(text)
  if (isLoopback(url)) return { kind: 'computer' }
  return url.protocol === 'https:' ? { kind: 'host', host: url.host } : { kind: 'app', scheme: url.protocol }
}

/** What `form-action` must allow, so that the browser follows the redirect of our form. */
export function formTarget(text: string): string {
  const url = new URL(text)
  // A policy cannot name an IPv6 address.
  return (url.protocol === 'https:' || url.protocol === 'http:') && !url.hostname.startsWith('[') ? url.origin : url.protocol
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}
