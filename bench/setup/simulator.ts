import { requestJson } from '../request-json.ts'

export const platforms = ['bluesky', 'mastodon', 'threads', 'x'] as const
export type Platform = (typeof platforms)[number]

export type Account = {
  platform: Platform
  id: string
  handle: string
  credentials: { accessToken: string } & Record<string, unknown>
}

/** A call that asked a platform to publish. See the README of the simulator's control interface. */
export type Submit = {
  platform: Platform
  account: string
  atMs: number
  text: string
  outcome: string
  /** The status that a fault answered with. */
  faultStatus?: number | null
}

export type Arrival = { platform: Platform; handle: string; textPrefix: string; atMs: number }

/** Controls the simulated platforms. */
export function controlSimulator(url: string) {
  const send = <T>(path: string, body?: unknown) => requestJson<T>(`${url}/_control${path}`, { body })
  return {
    url,
    async openAccounts(platform: Platform, handle: string, count: number): Promise<Account[]> {
      type Opened = { accounts: { account: { id: string; handle: string }; credentials: Account['credentials'] }[] }
      const { accounts } = await send<Opened>('/accounts', { platform, handle, count })
      return accounts.map(({ account, credentials }) => ({ platform, id: account.id, handle: account.handle, credentials }))
    },
    settings: (change: { platform?: Platform; rateLimits?: boolean; latencyMs?: number; notReadyMs?: number }) =>
      send('/settings', change),
    /** Every call to this platform is answered with 503 until the returned function is called. */
    async startOutage(platform: Platform): Promise<() => Promise<unknown>> {
      const { id } = await send<{ id: string }>('/faults', {
        platform,
        operation: 'any',
        fault: { kind: 'outage', clock: 'real' },
      })
      return () => requestJson(`${url}/_control/faults/${id}`, { method: 'DELETE' })
    },
    submits: async (platform: Platform, prefix: string): Promise<Submit[]> =>
      (await send<{ submits: Submit[] }>(`/submits?platform=${platform}&prefix=${encodeURIComponent(prefix)}`)).submits,
    record: (on: boolean) => send('/recording', { on }),
    clearPosts: () => requestJson(`${url}/_control/posts`, { method: 'DELETE' }),
    async arrivals(): Promise<Arrival[]> {
      const text = await (await fetch(`${url}/_control/recording`)).text()
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Arrival => JSON.parse(line))
    },
  }
}

export type SimulatorControl = ReturnType<typeof controlSimulator>
