import type { GuideValue } from '@carillon/connectors/guide'
import { queryOptions } from '@tanstack/react-query'
import { send } from './send.ts'

type ShownApp = {
  clientId: string
  isVetted: boolean
  source: 'environment' | 'stored' | 'simulator'
  enteredAt: string | null
}

/** What an operator sees of a platform: everything but the secret of its app. */
export type PlatformApp = {
  platform: string
  needsApp: boolean
  setting: string | null
  canBeVetted: boolean
  portalUrl: string | null
  values: Record<GuideValue, string>
  /** The app with which new accounts are connected. */
  app: ShownApp | null
  /** What an operator entered, which the environment may overrule. */
  entered: ShownApp | null
  /** How many accounts were connected with which app. `isKnown`: its secret is here. */
  uses: { clientId: string | null; accounts: number; isKnown: boolean }[]
}

export type EnteredApp = { clientId: string; clientSecret: string; isVetted: boolean }
export type Verdict = { outcome: 'accepted' | 'refused' | 'unknown'; said: string | null }
export type AppCheck = { app: Verdict; redirect: Verdict }

export function platformApps() {
  return queryOptions({
    queryKey: ['operator.platforms'],
    queryFn: ({ signal }) => send<PlatformApp[]>('/operator/platforms', { signal }),
  })
}

export function savePlatformApp(platform: string, app: EnteredApp): Promise<PlatformApp> {
  return send(`/operator/platforms/${platform}/app`, { method: 'PUT', body: withoutEmpty(app) })
}

export function removePlatformApp(platform: string): Promise<PlatformApp> {
  return send(`/operator/platforms/${platform}/app`, { method: 'DELETE' })
}

/** Asks the platform about this app, or about the one in use. */
export function checkPlatformApp(platform: string, app: EnteredApp | null): Promise<AppCheck> {
  return send(`/operator/platforms/${platform}/check`, { method: 'POST', body: app ? withoutEmpty(app) : {} })
}

/** Without a secret, the server takes the one that is stored. */
function withoutEmpty({ clientSecret, ...rest }: EnteredApp): object {
  return clientSecret === '' ? rest : { ...rest, clientSecret }
}
