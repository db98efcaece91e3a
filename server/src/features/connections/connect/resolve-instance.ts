import type { Connector } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import { problem } from '../../../infra/problem/problem.ts'

/** The server an account lives on, as it is stored; null for a platform's own. */
export async function resolveInstance(ctx: Context, connector: Connector, given: string | undefined): Promise<string | null> {
  const { auth, origin, manifest } = connector
  if (!auth.perInstance) {
    if (given !== undefined) throw refused('request_invalid', `${manifest.name} is one place; leave this out.`)
    return null
  }
  if (given === undefined) {
    const standIn = origin === null ? ctx.config.platformOrigins[manifest.platform] : null
    if (standIn === undefined) throw refused('request_invalid', 'This field is required.')
    return standIn
  }
  const url = readAddress(given)
  // As for every call with a token: plain HTTP is for networks that were opened, and the connection itself sees to that.
  const verdict = await ctx.egress.checkUrl(url, { https: ctx.config.egressAllow.length === 0 })
  if (!verdict.ok) throw refused(verdict.code === 'bad_url' ? 'request_invalid' : 'url_refused', verdict.reason)
  const { origin: host, pathname } = verdict.url
  const instance = host + pathname.replace(/\/+$/, '')
  return instance === origin ? null : instance
}

/** People enter `tower.example`, `https://tower.example/` or their whole handle. */
export function readAddress(given: string): string {
  const words = given.trim()
  return words.includes('://') ? words : `https://${words.slice(words.lastIndexOf('@') + 1)}`
}

function refused(code: 'request_invalid' | 'url_refused', message: string) {
  return problem(code, { details: [{ path: 'instanceUrl', message }] })
}
