import { join } from 'node:path'
import type { Environment } from '../terminal.ts'
import { configFolder } from './config-folder.ts'
import { readPrivateJson, writePrivateJson } from './private-file.ts'

/** An address with its API key and workspace. After a sign-in with a browser the key is a token that ends and is renewed. */
export type Profile = { url: string; apiKey: string; workspaceId: string; refreshToken?: string; expiresAt?: string }
type Profiles = Readonly<Record<string, Profile>>

export const defaultProfile = 'default'

function profilesFile(env: Environment): string {
  return join(configFolder(env), 'credentials.json')
}

export async function readProfiles(env: Environment): Promise<Profiles> {
  const stored = (await readPrivateJson(profilesFile(env))) as { profiles?: Profiles } | null
  return stored?.profiles ?? {}
}

/** Stores a profile, or forgets it if it is null. */
export async function writeProfile(env: Environment, name: string, profile: Profile | null): Promise<void> {
  const { [name]: _former, ...others } = await readProfiles(env)
  await writePrivateJson(profilesFile(env), { profiles: { ...others, ...(profile !== null && { [name]: profile }) } })
}
