import type { Carillon } from '@carillon/sdk'
import { CommandError, UsageError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { optionalText } from '../line/option.ts'
import type { Environment } from '../terminal.ts'
import { fetchWithFreshToken } from './fetch-with-fresh-token.ts'
import { defaultProfile, readProfiles } from './profiles.ts'
import { readAddress } from './read-address.ts'

/** Options of every command that calls the API. */
export const sessionOptions = {
  profile: optionalText({ placeholder: 'NAME', about: 'The profile of carillon login, if there are several.' }),
  workspace: optionalText({
    placeholder: 'ID',
    about: 'Another workspace than that of the profile. The API key must have access to it.',
  }),
}

type Wanted = { profile: string | null; workspace: string | null }
type Access = {
  origin: string
  apiKey: string
  workspaceId: string | null
  source: string
  fetch?: (request: Request) => Promise<Response>
}
export type Session = { carillon: Carillon; origin: string; apiKey: string; workspaceId: string; source: string }

/** The API under a person's key, in one workspace. `retries: 0` is for commands that try again by themselves. */
export async function openSession(wanted: Wanted, env: Environment, { retries }: { retries?: number } = {}): Promise<Session> {
  const { workspaceId: known, fetch, ...access } = await findAccess(wanted, env)
  const { createCarillon } = await import('@carillon/sdk')
  const options = {
    baseUrl: `${access.origin}/api`,
    apiKey: access.apiKey,
    ...(fetch && { fetch }),
    ...(retries !== undefined && { retries }),
  }
  const workspaceId = known ?? (await findOnlyWorkspace(createCarillon(options)))
  return { ...access, workspaceId, carillon: createCarillon({ ...options, workspaceId }) }
}

/** A named profile counts more than the environment, and that more than the usual profile. The parts are never mixed. */
async function findAccess({ profile: name, workspace }: Wanted, env: Environment): Promise<Access> {
  const apiKey = env['CARILLON_API_KEY']?.trim()
  if (name === null && apiKey) {
    const url = env['CARILLON_URL']?.trim()
    // Not the address of a profile: the key would be sent to a server that it was not made for.
    if (!url) throw new UsageError('CARILLON_API_KEY is set and CARILLON_URL is not. Set both, or neither.')
    const workspaceId = workspace ?? (env['CARILLON_WORKSPACE_ID']?.trim() || null)
    return { origin: readAddress(url), apiKey, workspaceId, source: 'the environment' }
  }
  const profiles = await readProfiles(env)
  const chosen = name ?? (env['CARILLON_PROFILE']?.trim() || defaultProfile)
  const profile = profiles[chosen]
  if (profile === undefined) throw notSignedIn(chosen, Object.keys(profiles))
  const { url, workspaceId } = profile
  return {
    origin: url,
    apiKey: profile.apiKey,
    workspaceId: workspace ?? workspaceId,
    source: `the profile ${chosen}`,
    ...(profile.refreshToken !== undefined && { fetch: fetchWithFreshToken(env, chosen, profile) }),
  }
}

function notSignedIn(name: string, others: readonly string[]): CommandError {
  const message =
    others.length === 0
      ? 'Nobody is signed in. Sign in first: carillon login https://carillon.example'
      : `There is no profile ${name}. There is ${others.join(', ')}: choose one with --profile, or sign in with carillon login --profile ${name}`
  return new CommandError(message, { code: 'not_signed_in', exitCode: exitCodes.usage })
}

async function findOnlyWorkspace({ workspaces }: Carillon): Promise<string> {
  const [workspace, ...others] = await workspaces.list({ limit: 2 })
  if (workspace === undefined || others.length > 0)
    throw new UsageError(
      `The API key has access to ${workspace === undefined ? 'no workspace' : 'several workspaces'}. Give one with --workspace or CARILLON_WORKSPACE_ID.`,
    )
  return workspace.id
}
