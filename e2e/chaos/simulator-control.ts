import type { FaultRule, PostView } from '@carillon/simulator'
import { fieldsOf } from './json.ts'

/** The part of the simulator's control interface that chaos needs. The simulator is never killed, so a failing call is a test bug. */
export type SimulatorControl = {
  postsOf(platform: string, handle: string): Promise<PostView[]>
  addFault(rule: unknown): Promise<string>
  faults(): Promise<FaultRule[]>
  removeFault(id: string): Promise<void>
  setRateLimits(on: boolean): Promise<void>
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
    addFault: async (rule) => String(fieldsOf(await send('POST', '/faults', rule))['id']),
    faults: async () => fieldsOf(await send('GET', '/faults'))['faults'] as FaultRule[],
    removeFault: async (id) => void (await send('DELETE', `/faults/${id}`)),
    setRateLimits: async (on) => void (await send('POST', '/settings', { rateLimits: on })),
  }
}
