import type { DeskOptions } from './desk.ts'

/** What the tools may do: read only; write drafts and files too; publish, change and delete too. */
export const permissions = ['read', 'draft', 'publish'] as const
export type Permission = (typeof permissions)[number]

export type Settings = Pick<DeskOptions, 'origin' | 'apiKey' | 'workspaceId'> & { allow: Permission }

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings, or throws an error whose message a person can act on: a client shows it in its log. */
export function readSettings(env: Environment): Settings {
  const url = env['CARILLON_URL']?.trim()
  const apiKey = env['CARILLON_API_KEY']?.trim()
  if (!url) throw new Error('Set CARILLON_URL to the address of your Carillon, such as https://carillon.example.')
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(`CARILLON_URL must be an address that starts with https:// or http://, not "${url}".`)
  if (!apiKey) throw new Error('Set CARILLON_API_KEY to an API key of your workspace: Settings → API keys.')
  const allow = env['CARILLON_MCP_ALLOW']?.trim() || 'publish'
  if (!isPermission(allow)) throw new Error(`CARILLON_MCP_ALLOW must be one of ${permissions.join(', ')}, not "${allow}".`)
  return { origin: originOf(url), apiKey, workspaceId: env['CARILLON_WORKSPACE_ID']?.trim() || null, allow }
}

function isPermission(value: string): value is Permission {
  return permissions.some((each) => each === value)
}

/** The SDK is given the address with `/api`; people copy either. */
function originOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/(?:api\/?)?$/, '')
}
