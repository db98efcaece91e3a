import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'

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
