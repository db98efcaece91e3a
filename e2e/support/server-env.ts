import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { platforms } from '@carillon/contract'
import { runCarillon, type CarillonEnv } from '@carillon/stack/services'
import { openAccount, realPartsEnv, type NewConnection } from '@carillon/stack'
import { testStack } from '../test-stack.ts'

/** The settings of the stack's server, for a second process on the same data. */
export function serverEnv(): CarillonEnv {
  const kept = JSON.parse(readFileSync(join(testStack.dir, 'kept.json'), 'utf8')) as { secretKeys: string }
  return {
    DATABASE_URL: testStack.databaseUrl,
    RESTATE_INGRESS_URL: testStack.restateIngressUrl,
    RESTATE_ADMIN_URL: testStack.restateAdminUrl,
    RESTATE_IDENTITY_KEYS: testStack.restateIdentityKey,
    CARILLON_HOST: '127.0.0.1',
    CARILLON_PUBLIC_URL: testStack.baseUrl.replace('/api', ''),
    CARILLON_SECRET_KEYS: kept.secretKeys,
    CARILLON_PAID_FIGURES: platforms.join(','),
    // Tests sign people up.
    CARILLON_SIGN_UP: 'open',
    CARILLON_EGRESS_ALLOW: '127.0.0.0/8',
    CARILLON_PLATFORM_ORIGINS: JSON.stringify(
      Object.fromEntries(platforms.map((platform) => [platform, `${testStack.simulatorUrl}/${platform}`])),
    ),
    CARILLON_MEDIA_DIR: join(testStack.dir, 'media'),
    NODE_EXTRA_CA_CERTS: testStack.webhookTlsCert,
    ...realPartsEnv(testStack),
  }
}

export type ConnectedAccount = { id: string; slug: string; handle: string }

/** Opens one account on each of the platforms and connects them to the stack's workspace. */
export function connectAccounts(handle: string, ...onPlatforms: string[]): Promise<ConnectedAccount[]> {
  return connectAccountsTo(testStack.workspaceId, handle, onPlatforms)
}

export async function connectAccountsTo(
  workspaceId: string,
  handle: string,
  onPlatforms: readonly string[],
): Promise<ConnectedAccount[]> {
  const accounts = await Promise.all(onPlatforms.map((platform) => openAccount(testStack.simulatorUrl, platform, handle)))
  const made = await connect(workspaceId, accounts)
  return made.map((each, n) => ({ ...each, handle: accounts[n]?.handle ?? '' }))
}

/** Connects accounts as the `connect` command does, without signing in. */
async function connect(workspaceId: string, accounts: readonly NewConnection[]): Promise<{ id: string; slug: string }[]> {
  const args = ['connect', '--json', '--workspace', workspaceId]
  const made = await runCarillon(args, { env: serverEnv(), input: JSON.stringify(accounts) })
  return made as { id: string; slug: string }[]
}

/** An account that nobody has opened. Its token is its name. */
function inventAccount(platform: string, name: string, instanceUrl: string | null): NewConnection {
  return { platform, handle: name, accountId: name, displayName: name, instanceUrl, credentials: { accessToken: name } }
}

/** Connects that many accounts of one platform and returns their slugs. Nothing can be published with them. */
export async function connectMany(workspaceId: string, platform: string, count: number): Promise<string[]> {
  const accounts = Array.from({ length: count }, (_, n) => inventAccount(platform, `crowd${n}`, null))
  return (await connect(workspaceId, accounts)).map(({ slug }) => slug)
}

/** Connects an account on each of these servers, which speak like Mastodon. Returns their slugs. */
export async function connectInstances(workspaceId: string, urls: readonly string[], name: string): Promise<string[]> {
  const made = await connect(
    workspaceId,
    urls.map((url, n) => inventAccount('mastodon', `${name}${n}`, url)),
  )
  return made.map(({ slug }) => slug)
}

/** Connects an account of each of these names on one server that speaks like Mastodon. The token is the name. Returns their slugs. */
export async function connectNames(workspaceId: string, instanceUrl: string, names: readonly string[]): Promise<string[]> {
  const made = await connect(
    workspaceId,
    names.map((name) => inventAccount('mastodon', name, instanceUrl)),
  )
  return made.map(({ slug }) => slug)
}

/** Connects a different Mastodon account for each handle, even where handles repeat, and returns their slugs. */
export async function connectHandles(workspaceId: string, handles: readonly string[]): Promise<string[]> {
  const account = await openAccount(testStack.simulatorUrl, 'mastodon', 'namesake')
  const slugs: string[] = []
  for (const [n, handle] of handles.entries()) {
    const made = await connect(workspaceId, [{ ...account, handle, accountId: `${workspaceId}-${n}` }])
    slugs.push(...made.map(({ slug }) => slug))
  }
  return slugs
}

/** Creates a person with their own workspace and API key. */
export async function createPerson(email: string) {
  const made = await runCarillon(['setup', '--json', '--workspace', email, '--email', email], { env: serverEnv() })
  return made as { workspaceId: string; apiKey: string; personId: string }
}
