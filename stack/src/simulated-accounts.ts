import { asRecord, jsonRequest, textOf } from '../services/json-request.ts'

/** A connection as the server's `connect` command takes it. */
export type NewConnection = {
  platform: string
  handle: string
  accountId: string
  displayName: string
  instanceUrl: string | null
  credentials: Record<string, unknown>
}

/** Opens an account on the simulator, ready to be connected. One that exists is answered as it is. */
export async function openAccount(simulatorUrl: string, platform: string, handle: string): Promise<NewConnection> {
  const opened = await jsonRequest(`${simulatorUrl}/_control/accounts`, { body: { platform, handle } })
  const account = asRecord(opened['account'])
  return {
    platform,
    handle: textOf(account, 'handle'),
    accountId: textOf(account, 'id'),
    displayName: `${handle} on ${platform}`,
    instanceUrl: typeof opened['instanceUrl'] === 'string' ? opened['instanceUrl'] : null,
    credentials: asRecord(opened['credentials']),
  }
}

export type SimulatedFault = { platform: string; handle: string; operation: string; fault: Record<string, unknown> }

/** A standing fault: it strikes every such call of that account until it is removed. */
export async function addFault(simulatorUrl: string, fault: SimulatedFault): Promise<void> {
  await jsonRequest(`${simulatorUrl}/_control/faults`, { body: fault })
}

export function platformOrigins(simulatorUrl: string, platforms: readonly string[]): Record<string, string> {
  return Object.fromEntries(platforms.map((platform) => [platform, `${simulatorUrl}/${platform}`]))
}
