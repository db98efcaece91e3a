import type { Scope } from '@carillon/contract'

/** What a person can choose for a program, from the least to the most. */
export const rights = ['read', 'draft', 'publish'] as const
export type Right = (typeof rights)[number]

/** What most people want: a program that writes, and a person who publishes. */
const preferred: Right = 'draft'

const reading: readonly Scope[] = ['content:read', 'media:read', 'analytics:read', 'workspaces:read']
const byRight: Readonly<Record<Right, readonly Scope[]>> = {
  read: reading,
  draft: [...reading, 'content:draft', 'media:write'],
  publish: [...reading, 'content:draft', 'media:write', 'content:publish'],
}

/** The two things for which a token can be: the API itself, and the MCP server, which calls the API for its caller. */
export const resourceNames = ['mcp', 'api'] as const
export type ResourceName = (typeof resourceNames)[number]

export function resourceUrl(publicUrl: string, name: ResourceName): string {
  return `${publicUrl}/${name}`
}

/** The log of events, which `carillon listen` reads, is for programs that call the API. */
const forApi: readonly Scope[] = ['webhooks:read']

/** All scopes that a program can be given for a resource. */
export function offeredScopes(resource: ResourceName): readonly Scope[] {
  return resource === 'api' ? [...byRight.publish, ...forApi] : byRight.publish
}

/** The scopes of a right, and of those only what the program asked for. A program that names none asks for all. */
export function scopesOf(right: Right, resource: ResourceName, asked: readonly string[]): Scope[] {
  const all = resource === 'api' ? [...byRight[right], ...forApi] : byRight[right]
  return asked.length === 0 ? [...all] : all.filter((scope) => asked.includes(scope))
}

/** The choices that differ for what was asked: a program that asks to read only is not offered more. */
export function offeredRights(resource: ResourceName, asked: readonly string[]): Right[] {
  const counts = rights.map((right) => scopesOf(right, resource, asked).length)
  return rights.filter((_right, at) => (counts[at] ?? 0) > (counts[at - 1] ?? 0))
}

export function preselectedRight(offered: readonly Right[]): Right | undefined {
  return offered.includes(preferred) ? preferred : offered[0]
}

/** The widest right that these scopes amount to, for people. */
export function rightOf(scopes: readonly string[]): Right {
  return scopes.includes('content:publish') ? 'publish' : scopes.some((each) => /:(?:draft|write)$/.test(each)) ? 'draft' : 'read'
}
