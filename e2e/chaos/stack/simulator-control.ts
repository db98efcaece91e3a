import type { FaultRule } from '@carillon/simulator'
import { fieldsOf, listOf } from '../client/json.ts'

/** A call that asked a platform to publish something; the simulator's control/README.md says what the outcomes mean. */
export type Submit = {
  platform: string
  /** The handle; null if the call had no known token. */
  account: string | null
  operation: string
  atMs: number
  /** When the whole answer was handed to the connection. */
  answeredAtMs: number | null
  /** Each worker has its own address for the platforms; see `callers`. */
  host: string | null
  text: string
  key: string | null
  replyTo: string | null
  outcome: 'created' | 'repeated' | 'refused' | 'dropped_before' | 'dropped_after'
  postId: string | null
  /** The kind of the fault that was applied to the call. */
  fault: string | null
  /** The status that a fault answered with, if it chose one. */
  faultStatus: number | null
}

export type AccountCalls = { platform: string; account: string | null; operation: string; count: number }

/** The part of the simulator's control interface that chaos needs. The simulator is never killed, so a failing call is a test bug. */
export type SimulatorControl = {
  /** Every call to a publishing operation whose text begins so, whatever became of it. */
  submits(prefix: string): Promise<Submit[]>
  /** How often each account was used for each operation. */
  calls(): Promise<AccountCalls[]>
  addFault(rule: unknown): Promise<string>
  faults(): Promise<FaultRule[]>
  removeFault(id: string): Promise<void>
  expireToken(platform: string, handle: string): Promise<void>
  revokeTokens(platform: string, handle: string): Promise<void>
  change(settings: Record<string, unknown>): Promise<void>
}

export function createSimulatorControl(simulatorUrl: string): SimulatorControl {
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${simulatorUrl}/_control${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`the simulator answered ${response.status} to ${method} ${path}: ${await response.text()}`)
    return response.json()
  }
  return {
    submits: async (prefix) => listOf(fieldsOf(await send('GET', `/submits?prefix=${prefix}`))['submits']) as Submit[],
    calls: async () => listOf(fieldsOf(await send('GET', '/calls?by=account'))['calls']) as AccountCalls[],
    addFault: async (rule) => String(fieldsOf(await send('POST', '/faults', rule))['id']),
    faults: async () => fieldsOf(await send('GET', '/faults'))['faults'] as FaultRule[],
    removeFault: async (id) => void (await send('DELETE', `/faults/${id}`)),
    expireToken: async (platform, handle) => void (await send('POST', '/tokens/expire', { platform, handle })),
    revokeTokens: async (platform, handle) => void (await send('POST', '/tokens/revoke', { platform, handle })),
    change: async (settings) => void (await send('POST', '/settings', settings)),
  }
}
