import type { Connector } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { trimSlashes } from '../../../infra/text/trim-slashes.ts'

/** The URL of the server that hosts the account, in the form that is stored; null for the platform's own server. */
export async function resolveInstance(ctx: Context, connector: Connector, given: string | undefined): Promise<string | null> {
  const { auth, origin, manifest } = connector
  if (!auth.perInstance) {
    if (given !== undefined) throw refused('request_invalid', `${manifest.name} has only one server; leave this field out.`)
    return null
  }
  if (given === undefined) {
    const configured = origin === null ? ctx.config.platformOrigins[manifest.platform] : null
    if (configured === undefined) throw refused('request_invalid', 'This field is required.')
    return configured
  }
  const url = readAddress(given)
  // As for every call with a token, plain HTTP is only for networks that the configuration allows; the connection itself checks that again.
  const verdict = await ctx.egress.checkUrl(url, { https: ctx.config.egressAllow.length === 0 })
  if (!verdict.ok) throw refused(verdict.code === 'bad_url' ? 'request_invalid' : 'url_refused', verdict.reason)
  const { origin: host, pathname } = verdict.url
  const instance = host + trimSlashes(pathname)
  return instance === origin ? null : instance
}

/** Users write `tower.example`, `https://tower.example/`, their whole handle, or the address of a WebSocket. */
export function readAddress(given: string): string {
  const text = given.trim().replace(/^ws(s?):\/\//i, 'http$1://')
  return text.includes('://') ? text : `https://${text.slice(text.lastIndexOf('@') + 1)}`
}

function refused(code: 'request_invalid' | 'url_refused', message: string) {
  return problem(code, { details: [{ path: 'instanceUrl', message }] })
}
