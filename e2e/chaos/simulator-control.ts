import type { FaultRule, PostView } from '@carillon/simulator'
import { fieldsOf } from './json.ts'

/** The simulator's control interface, as far as chaos needs it. The simulator is never killed, so a failure here is ours. */
export type SimulatorControl = {
  postsOf(platform: string, handle: string): Promise<PostView[]>
  addFault(rule: unknown): Promise<string>
  faults(): Promise<FaultRule[]>
  removeFault(id: string): Promise<void>
  setRateLimits(on: boolean): Promise<void>
}

export function createSimulatorControl(simulatorUrl: string): SimulatorControl {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${simulatorUrl}/_control${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`the simulator answered ${response.status} to ${method} ${path}: ${await response.text()}`)
    return response.json()
  }
  return {
    postsOf: async (platform, handle) => (await ask('GET', `/posts?platform=${platform}&handle=${handle}`)) as PostView[],
    addFault: async (rule) => String(fieldsOf(await ask('POST', '/faults', rule))['id']),
    faults: async () => fieldsOf(await ask('GET', '/faults'))['faults'] as FaultRule[],
    removeFault: async (id) => void (await ask('DELETE', `/faults/${id}`)),
    setRateLimits: async (on) => void (await ask('POST', '/settings', { rateLimits: on })),
  }
}
