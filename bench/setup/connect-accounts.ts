import type { Stack } from '@carillon/stack'
import { platforms, type Account, type Platform, type SimulatorControl } from './simulator.ts'

export type ConnectedAccount = { account: Account; id: string; slug: string }
export type ConnectedByPlatform = Record<Platform, ConnectedAccount[]>

/** Opens `count` accounts on every platform and connects them to the stack's workspace. */
export async function connectAccounts(stack: Stack, simulator: SimulatorControl, count: number): Promise<ConnectedByPlatform> {
  const connected: ConnectedByPlatform = { bluesky: [], mastodon: [], threads: [], x: [] }
  for (const platform of platforms) {
    const accounts = await simulator.openAccounts(platform, 'bench', count)
    const wanted = accounts.map(({ id, handle, credentials }) => ({
      platform,
      handle,
      accountId: id,
      displayName: handle,
      instanceUrl: null,
      credentials,
    }))
    const made = await stack.run(['connect', '--json', '--workspace', stack.info.workspaceId], JSON.stringify(wanted))
    if (!Array.isArray(made)) throw new Error('the connect command must print a list')
    connected[platform] = made.map((each: { id: string; slug: string }, at) => {
      const account = accounts[at]
      if (!account) throw new Error('more connections than accounts')
      return { account, id: each.id, slug: each.slug }
    })
  }
  return connected
}
