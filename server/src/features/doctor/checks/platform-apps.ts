import { connectors } from '@carillon/connectors'
import { platforms } from '@carillon/contract'
import { appSetting, needsApp } from '../../connections/connect/connect-method.ts'
import { fail, ok, warn, type Check } from '../check.ts'

export const platformApps: Check = {
  name: 'platform-apps',
  isQuick: true,
  async run({ config: { apps, platformOrigins, vettedApps } }) {
    const half = Object.entries(apps).filter(([, { clientId, clientSecret }]) => !clientId || !clientSecret)
    if (half.length > 0) {
      const names = half.map(([platform]) => appSetting(platform)).join(', ')
      return fail(`${names} has no client id or no client secret.`, 'Write both, as <client id>:<client secret>.')
    }
    const has = (platform: string) => apps[platform] !== undefined || platformOrigins[platform] !== undefined
    const unknown = vettedApps.filter((platform) => !has(platform))
    if (unknown.length > 0)
      return warn(
        `CARILLON_VETTED_APPS names ${unknown.join(', ')}, for which no app is configured.`,
        `Set ${unknown.map(appSetting).join(', ')}, or correct the list.`,
      )
    const missing = platforms.filter((platform) => needsApp(connectors[platform].auth) && !has(platform))
    if (missing.length === 0) return ok('Every platform that needs a developer app has one.')
    return ok(
      `The environment has no developer app for ${missing.join(', ')}. They can be connected if an operator entered one under Settings → Platforms.`,
    )
  },
}
