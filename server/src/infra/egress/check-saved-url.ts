import { setTimeout as sleep } from 'node:timers/promises'
import type { Allow } from './address.ts'
import { checkDestination, checkUrl, hostOf } from './guard-url.ts'
import type { UrlVerdict } from './guard-url.ts'
import { resolveHost } from './resolve-host.ts'
import type { Lookup } from './resolve-host.ts'

const lookupMsMax = 3_000

type Rules = { https: boolean; allow: Allow; lookup: Lookup }

/**
 * May this URL be stored? A name that does not resolve today may tomorrow, so it is accepted: each send checks again, and there a name
 * without an answer goes nowhere.
 */
export async function checkSavedUrl(raw: string, { https, allow, lookup }: Rules): Promise<UrlVerdict> {
  const verdict = checkUrl(raw, { https, allow })
  if (!verdict.ok) return verdict
  const addresses = await withinTime(resolveHost(hostOf(verdict.url), lookup).catch(() => []))
  if (addresses.length === 0) return verdict
  return checkDestination(verdict.url, addresses, allow) ?? verdict
}

async function withinTime(scope: Promise<readonly string[]>): Promise<readonly string[]> {
  const stop = new AbortController()
  const late = sleep(lookupMsMax, [], { signal: stop.signal, ref: false }).catch(() => [])
  try {
    return await Promise.race([scope, late])
  } finally {
    stop.abort()
  }
}
