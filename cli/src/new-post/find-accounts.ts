import type { Carillon, Connection } from '@carillon/sdk'
import { UsageError } from '../cli-error.ts'
import { isCarillonError } from '../describe-failure.ts'
import { cleanText } from '../output/clean-text.ts'

/** What is known about an account: its slug alone, if the API key may not read accounts. */
export type Account = { slug: string; platform: string | null }

/**
 * The accounts that `--to` names, by slug, id or name, or all of them. An account that must be connected again is not left out of `all`: the
 * person would not notice that the post is missing there, and the API says what to do.
 */
export async function findAccounts(
  names: readonly string[],
  workspaces: Carillon['workspaces'],
  workspaceId: string,
): Promise<Account[]> {
  const connections = await workspaces.connections(workspaceId).catch((error: unknown) => {
    if (isCarillonError(error) && error.code === 'scope_missing') return null
    throw error
  })
  if (connections === null) return takeAsSlugs(names)
  const found = names.flatMap((name) =>
    name === 'all'
      ? connections.filter(({ status }) => status !== 'disconnected')
      : splitNames(name, connections).map((each) => pickAccount(each, connections)),
  )
  return [...new Map(found.map(({ slug, platform }) => [slug, { slug, platform }])).values()]
}

function takeAsSlugs(names: readonly string[]): Account[] {
  if (names.includes('all'))
    throw new UsageError('This API key may not read accounts, so --to all is not known. Name them by slug.')
  return [...new Set(names.flatMap((name) => name.split(',')))].map((slug) => ({ slug, platform: null }))
}

/** `a,b` are two accounts, unless one has this name. */
function splitNames(name: string, connections: readonly Connection[]): string[] {
  const isWhole = connections.some((connection) => isNamed(connection, name))
  return isWhole
    ? [name]
    : name
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '')
}

function pickAccount(name: string, connections: readonly Connection[]): Connection {
  const exact = connections.find(({ slug, id }) => slug === name || id === name)
  if (exact) return exact
  const [found, ...others] = connections.filter((connection) => isNamed(connection, name))
  if (found === undefined)
    throw new UsageError(`There is no account ${name}. There is ${listSlugs(connections) || 'none: connect one in the web app'}.`)
  if (others.length > 0)
    throw new UsageError(`Several accounts are called ${name}: ${listSlugs([found, ...others])}. Use the slug.`)
  return found
}

function isNamed({ slug, id, displayName, handle, target }: Connection, name: string): boolean {
  const wanted = name.toLowerCase()
  return [slug, id, displayName, handle, target?.name].some((each) => each?.toLowerCase() === wanted)
}

function listSlugs(connections: readonly Connection[]): string {
  return connections.map(({ slug }) => cleanText(slug)).join(', ')
}
