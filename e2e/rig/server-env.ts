import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { platforms } from '@carillon/contract'
import { runCarillon, type CarillonEnv } from '@carillon/stack/services'
import { openAccount, realPartsEnv } from '@carillon/stack'
import { world } from '../world.ts'

/** The settings of the stack's server, for a second process on the same data. */
export function serverEnv(): CarillonEnv {
  const kept = JSON.parse(readFileSync(join(world.dir, 'kept.json'), 'utf8')) as { secretKeys: string }
  return {
    DATABASE_URL: world.databaseUrl,
    RESTATE_INGRESS_URL: world.restateIngressUrl,
    RESTATE_ADMIN_URL: world.restateAdminUrl,
    CARILLON_HOST: '127.0.0.1',
    CARILLON_PUBLIC_URL: world.baseUrl.replace('/api', ''),
    CARILLON_SECRET_KEYS: kept.secretKeys,
    CARILLON_EGRESS_ALLOW: '127.0.0.0/8',
    CARILLON_PLATFORM_ORIGINS: JSON.stringify(
      Object.fromEntries(platforms.map((platform) => [platform, `${world.simulatorUrl}/${platform}`])),
    ),
    CARILLON_MEDIA_DIR: join(world.dir, 'media'),
    NODE_EXTRA_CA_CERTS: world.webhookTlsCert,
    ...realPartsEnv(world),
  }
}

export type Connected = { id: string; slug: string; handle: string }

/** Opens accounts on the simulator, one a platform, and connects them to the workspace, as the settings screen would. */
export function connectAccounts(handle: string, ...onPlatforms: string[]): Promise<Connected[]> {
  return connectTo(world.workspaceId, handle, onPlatforms)
}

export async function connectTo(workspaceId: string, handle: string, onPlatforms: readonly string[]): Promise<Connected[]> {
  const accounts = await Promise.all(onPlatforms.map((platform) => openAccount(world.simulatorUrl, platform, handle)))
  const args = ['connect', '--json', '--workspace', workspaceId]
  const made = (await runCarillon(args, { env: serverEnv(), input: JSON.stringify(accounts) })) as { id: string; slug: string }[]
  return made.map((each, n) => ({ ...each, handle: accounts[n]?.handle ?? '' }))
}

/** Connects different accounts of one platform, whatever they call themselves; gives their slugs. */
export async function connectNamesakes(workspaceId: string, handles: readonly string[]): Promise<string[]> {
  const account = await openAccount(world.simulatorUrl, 'mastodon', 'namesake')
  const slugs: string[] = []
  for (const [n, handle] of handles.entries()) {
    const input = JSON.stringify([{ ...account, handle, accountId: `${workspaceId}-${n}` }])
    const made = await runCarillon(['connect', '--json', '--workspace', workspaceId], { env: serverEnv(), input })
    slugs.push(...(made as { slug: string }[]).map(({ slug }) => slug))
  }
  return slugs
}

/** A person with a workspace and a key of their own. */
export async function setUpPerson(email: string) {
  const made = await runCarillon(['setup', '--json', '--workspace', email, '--email', email], { env: serverEnv() })
  return made as { workspaceId: string; apiKey: string; personId: string }
}
