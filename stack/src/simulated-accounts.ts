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

/** Opens an account on the simulator and returns what is needed to connect it. If the account exists, it is returned as it is. */
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

type SimulatedFault = { platform: string; handle: string; operation: string; fault: Record<string, unknown> }

/** Adds a permanent fault: every such call of that account fails until the fault is removed. */
export async function addFault(simulatorUrl: string, fault: SimulatedFault): Promise<void> {
  await jsonRequest(`${simulatorUrl}/_control/faults`, { body: fault })
}
