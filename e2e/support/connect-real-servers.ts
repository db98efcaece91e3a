import { join } from 'node:path'
import { installPds, installSnac, startPds, startSnac } from '@carillon/stack/services'
import type { Stack } from '@carillon/stack'

/** A connection to a real server, and the address at which its posts can be read. */
type RealConnection = { slug: string; readUrl: string }
export type RealConnections = {
  bluesky: (RealConnection & { did: string }) | null
  mastodon: (RealConnection & { token: string }) | null
}

/** Starts a real Bluesky PDS and a real snac, opens an account on each and connects it to the stack's workspace. */
export async function connectRealServers(stack: Stack): Promise<{ connections: RealConnections; stop(): Promise<void> }> {
  await installPds()
  const pds = await startPds({ dir: join(stack.info.dir, 'pds') })
  const alice = await pds.createAccount('alice.test')
  const bluesky = await connect(stack, {
    platform: 'bluesky',
    handle: alice.handle,
    accountId: alice.did,
    instanceUrl: pds.url,
    credentials: {
      accessToken: alice.accessJwt,
      refreshToken: alice.refreshJwt,
      extra: { did: alice.did, identifier: alice.handle, password: alice.password },
    },
  })
  const fediverse = await connectSnac(stack)
  return {
    connections: { bluesky: { slug: bluesky, readUrl: pds.url, did: alice.did }, mastodon: fediverse?.connection ?? null },
    stop: async () => {
      await Promise.all([pds.stop(), fediverse?.stop()])
    },
  }
}

/** snac is in Debian's backports. On a machine without them it is left out, and the output says so. */
async function connectSnac(stack: Stack) {
  const missing = await installSnac()
  if (missing) {
    console.log(`snac is left out: ${missing}`)
    return null
  }
  const snac = await startSnac({ dir: join(stack.info.dir, 'snac') })
  const { handle, token } = await snac.createAccount('alice')
  const response = await fetch(`${snac.url}/api/v1/accounts/verify_credentials`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const account = (await response.json()) as { id: string }
  const slug = await connect(stack, {
    platform: 'mastodon',
    handle,
    accountId: account.id,
    instanceUrl: snac.url,
    credentials: { accessToken: token },
  })
  return { connection: { slug, readUrl: snac.url, token }, stop: () => snac.stop() }
}

async function connect(stack: Stack, connection: object): Promise<string> {
  const made = await stack.run(['connect', '--json', '--workspace', stack.info.workspaceId], JSON.stringify([connection]))
  const [first] = made as { slug: string }[]
  if (!first) throw new Error('the account was not connected')
  return first.slug
}
