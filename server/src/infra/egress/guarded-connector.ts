import type { Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import { buildConnector } from 'undici'
import { isAllowedAddress, isSameAddress } from './address.ts'
import type { Allow } from './address.ts'
import { EgressError } from './egress-error.ts'
import { type Lookup, checkDestination, resolveHost } from './guard-url.ts'

export type Guard = {
  allow: Allow
  lookup: Lookup
  connectTimeoutMs: number
  /** May unencrypted requests leave the opened networks? */
  plainOutside: boolean
  /** A certificate authority beside the usual ones. */
  ca?: string | undefined
}

const attemptsMax = 4

const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH|EPROTO)/

/**
 * Opens sockets for undici, and only to addresses that were checked. undici's own `lookup` option would not do: it is not asked when the
 * host is an address already.
 */
export function guardedConnector(guard: Guard): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: guard.connectTimeoutMs,
    ...(guard.ca ? { ca: [...rootCertificates, guard.ca] } : {}),
  })
  return (options, callback) => {
    void handOver(openChecked(guard, connect, options), callback)
  }
}

async function handOver(opening: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  let socket: Socket
  try {
    socket = await opening
  } catch (error) {
    callback(asEgressError(error), null)
    return
  }
  callback(null, socket)
}

async function openChecked(guard: Guard, connect: buildConnector.connector, options: buildConnector.Options): Promise<Socket> {
  const addresses = await resolveChecked(guard, options)
  let failure: unknown
  for (const address of addresses.slice(0, attemptsMax)) {
    try {
      // The name stays in `host` and in the request, so that Host and SNI are what the URL said.
      return verified(await open(connect, { ...options, hostname: address }), address)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

async function resolveChecked(
  { allow, lookup, plainOutside }: Guard,
  options: buildConnector.Options,
): Promise<readonly string[]> {
  const { hostname, protocol, port } = options
  const addresses = await resolveHost(hostname, lookup)
  const refusal = checkDestination({ protocol, port }, addresses, allow)
  if (refusal) throw new EgressError(refusal.code, refusal.reason, { sent: false })
  const isOpened = addresses.every((ip) => isAllowedAddress(ip, allow))
  if (protocol !== 'https:' && !plainOutside && !isOpened) {
    throw new EgressError('bad_url', 'The URL must start with https://.', { sent: false })
  }
  return addresses
}

function open(connect: buildConnector.connector, options: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connect(options, (error, socket) => {
      if (socket) resolve(socket)
      else reject(error ?? new Error('no socket'))
    })
  })
}

/** The last look before anything is sent: the other end is the address that was checked, not what something on the way made of it. */
function verified(socket: Socket, address: string): Socket {
  if (socket.remoteAddress !== undefined && isSameAddress(socket.remoteAddress, address)) return socket
  socket.destroy()
  throw new EgressError('blocked_address', 'The connection did not reach the address that was checked.', { sent: false })
}

function asEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error
  const code = codeOf(error)
  const facts = { sent: false, cause: error }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return new EgressError('timeout', 'The host did not answer in time.', facts)
  if (tlsCodes.test(code)) return new EgressError('tls', `The host's certificate or TLS was not accepted (${code}).`, facts)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new EgressError('connect', 'The host name does not resolve.', facts)
  return new EgressError('connect', `No connection to the host${code ? ` (${code})` : ''}.`, facts)
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
