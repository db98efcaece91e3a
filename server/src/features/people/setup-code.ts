import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { authSecrets } from './auth-secrets.ts'

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1', 'localhost', '[::1]'])

/** A proxy on this machine passes on what strangers send, and its address is a loopback address too. */
const forwarding = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip)$/

/**
 * Whether the first person must enter the setup code. On the operator's own machine nobody else can be first; everywhere else the code in
 * the log proves that the person is the operator.
 */
export function needsSetupCode(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { ip, headers = {} }: Pick<FastifyRequest, 'ip'> & Partial<Pick<FastifyRequest, 'headers'>>,
): boolean {
  if (Object.keys(headers).some((name) => forwarding.test(name))) return true
  return !loopback.has(new URL(publicUrl).hostname) || !loopback.has(ip)
}

/** The same on every node and after every restart: it is derived from the secret keys. */
export function setupCode({ secretKeys }: Pick<Config, 'secretKeys'>): string {
  const [{ value }] = authSecrets(secretKeys)
  const digest = createHmac('sha256', value).update('the first run of this install').digest('hex').toUpperCase()
  return [digest.slice(0, 4), digest.slice(4, 8), digest.slice(8, 12), digest.slice(12, 16)].join('-')
}

export function isSetupCode(config: Pick<Config, 'secretKeys'>, given: string): boolean {
  const [sent, right] = [given.trim().toUpperCase(), setupCode(config)].map((code) => Buffer.from(code))
  return sent !== undefined && right !== undefined && sent.length === right.length && timingSafeEqual(sent, right)
}
