import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'

/**
 * Warns that all people behind a proxy share the limits by address, as long as CARILLON_TRUSTED_PROXIES does not name the proxy: at start
 * if the public address has HTTPS, which only a proxy can serve, and otherwise at the first request that a proxy has forwarded.
 */
export function createProxyWarning({ config: { trustedProxies, publicUrl }, log }: Context): (request: FastifyRequest) => void {
  let isDone = trustedProxies.length > 0
  const warn = (reason: string) => {
    isDone = true
    log.warn(
      { reason },
      'CARILLON_TRUSTED_PROXIES is not set: everyone behind the proxy counts as one address, and strangers can use up its limits',
    )
  }
  if (!isDone && publicUrl.startsWith('https:')) warn('the public address has https')
  return ({ headers }) => {
    if (!isDone && (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined))
      warn('a request was forwarded by a proxy')
  }
}
