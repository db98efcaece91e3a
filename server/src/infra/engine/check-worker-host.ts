import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import { StartError } from '../problem/start-error.ts'

/**
 * Throws if other machines could reach the worker's port and no key tells our engine from them. Another engine could otherwise register the
 * worker and run its handlers.
 */
export function checkWorkerHost({ workerHost, restateIdentityKeys }: Pick<Config, 'workerHost' | 'restateIdentityKeys'>): void {
  if (restateIdentityKeys.length > 0 || isLoopback(workerHost)) return
  throw new StartError(
    `CARILLON_WORKER_HOST is ${workerHost}, which other machines can reach, and RESTATE_IDENTITY_KEYS is not set: everything that reaches ` +
      `the port could start work. Give the engine a private key (request-identity-private-key-pem-file), set RESTATE_IDENTITY_KEYS to the ` +
      `public key that it writes to its log, and start again. Or let the worker listen on 127.0.0.1.`,
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
