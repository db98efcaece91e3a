import type { FaultRule, PostView, Submit } from '@carillon/simulator'
import { fieldsOf, listOf } from '../client/json.ts'

/** The part of the simulator's control interface that chaos needs. The simulator is never killed, so a failing call is a test bug. */
export type SimulatorControl = {
  postsOf(platform: string, handle: string): Promise<PostView[]>
  /** Every call to a publishing operation whose text begins so, whatever became of it. */
  submits(prefix: string): Promise<Submit[]>
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
    postsOf: async (platform, handle) => (await send('GET', `/posts?platform=${platform}&handle=${handle}`)) as PostView[],
    submits: async (prefix) => listOf(fieldsOf(await send('GET', `/submits?prefix=${prefix}`))['submits']) as Submit[],
    addFault: async (rule) => String(fieldsOf(await send('POST', '/faults', rule))['id']),
    faults: async () => fieldsOf(await send('GET', '/faults'))['faults'] as FaultRule[],
    removeFault: async (id) => void (await send('DELETE', `/faults/${id}`)),
    expireToken: async (platform, handle) => void (await send('POST', '/tokens/expire', { platform, handle })),
    revokeTokens: async (platform, handle) => void (await send('POST', '/tokens/revoke', { platform, handle })),
    change: async (settings) => void (await send('POST', '/settings', settings)),
  }
}
