import { CommandError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Environment } from '../terminal.ts'
import { renewTokens } from './browser-sign-in.ts'
import { readProfiles, writeProfile, type Profile } from './profiles.ts'

/** So long before its end a token is renewed, for clocks that differ and requests that take time. */
const earlyMs = 60_000

/** Sends requests with the token of a profile, and renews it when it ends: `listen` runs for days. */
export function fetchWithFreshToken(env: Environment, name: string, first: Profile): (request: Request) => Promise<Response> {
  let current = first
  let renewing: Promise<Profile> | null = null
  return async (request) => {
    if (!isFresh(current)) {
      renewing ??= renew(env, name).finally(() => (renewing = null))
      current = await renewing
    }
    const headers = new Headers(request.headers)
    headers.set('authorization', `Bearer ${current.apiKey}`)
    return fetch(new Request(request, { headers }))
  }
}

function isFresh({ expiresAt }: Profile): boolean {
  return expiresAt === undefined || Date.parse(expiresAt) - Date.now() > earlyMs
}

/** Reads the profile again first: another command may have renewed it, and a refresh token that is used twice ends the access. */
async function renew(env: Environment, name: string): Promise<Profile> {
  const stored = (await readProfiles(env))[name]
  if (stored !== undefined && isFresh(stored)) return stored
  const tokens = stored?.refreshToken === undefined ? undefined : await renewTokens(stored.url, stored.refreshToken)
  if (stored === undefined || tokens === undefined)
    throw new CommandError('The access of the command line has ended. Sign in again: carillon login', {
      code: 'access_ended',
      exitCode: exitCodes.refused,
    })
  const profile = { ...stored, ...tokens }
  await writeProfile(env, name, profile)
  return profile
}
