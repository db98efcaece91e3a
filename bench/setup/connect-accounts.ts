import type { Stack } from '@carillon/stack'
import { platforms, type Account, type Platform, type SimulatorControl } from './simulator.ts'

export type ConnectedAccount = { account: Account; id: string; slug: string }
export type ConnectedByPlatform = Record<Platform, ConnectedAccount[]>

let setsMade = 0

/** Opens `count` new accounts on every platform and connects them to the stack's workspace. */
export async function connectAccounts(stack: Stack, simulator: SimulatorControl, count: number): Promise<ConnectedByPlatform> {
  const connected = noAccounts()
  const { workspaceId } = stack.info
  const handle = `bench${++setsMade}`
  for (const platform of platforms) {
    connected[platform] = await connectTo(stack, simulator, { workspaceId, platform, handle, count })
  }
  return connected
}

export function noAccounts(): ConnectedByPlatform {
  return { bluesky: [], mastodon: [], threads: [], x: [] }
}

type Wanted = { workspaceId: string; platform: Platform; handle: string; count: number }

/** Opens `count` accounts on one platform and connects them to a workspace. */
export async function connectTo(
  stack: Stack,
  simulator: SimulatorControl,
  { workspaceId, platform, handle, count }: Wanted,
): Promise<ConnectedAccount[]> {
  const accounts = await simulator.openAccounts(platform, handle, count)
  const wanted = accounts.map((account) => ({
    platform,
    handle: account.handle,
    accountId: account.id,
    displayName: account.handle,
    instanceUrl: null,
    credentials: account.credentials,
  }))
  const made = await stack.run(['connect', '--json', '--workspace', workspaceId], JSON.stringify(wanted))
  if (!Array.isArray(made)) throw new Error('the connect command must print a list')
  return made.map((each: { id: string; slug: string }, at) => {
    const account = accounts[at]
    if (!account) throw new Error('more connections than accounts')
    return { account, id: each.id, slug: each.slug }
  })
}
