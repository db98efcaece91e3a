import type { Auth, OAuth2 } from '../../connectors/src/kit/auth.ts'
import { appSetting } from '../../contract/src/platforms.ts'

/** How an account of a platform is connected, and what an operator must register for it. */
export function describeConnecting(platform: string, auth: Auth): string[] {
  if (auth.kind === 'password') {
    const fields = auth.fields.map(({ label }) => `"${label}"`).join(' and ')
    return [`People enter ${fields}. The operator needs no developer app.`]
  }
  if (auth.register) {
    return [
      'People agree on the page of their own server. Carillon registers its app on each server by itself, so the operator needs no developer',
      'app.',
      '',
      `Permissions: ${list(auth.scopes)}.`,
    ]
  }
  return describeApp(platform, auth)
}

function describeApp(platform: string, { portalUrl, scopes, vettedScopes }: OAuth2): string[] {
  return [
    'People agree on a page of the platform. The operator registers a developer app for that ([how to](../guides/platform-apps.md)):',
    '',
    '| What | Value |',
    '|---|---|',
    ...(portalUrl ? [`| Register it at | <${portalUrl}> |`] : []),
    `| Redirect URL | \`<CARILLON_PUBLIC_URL>/integrations/${platform}/callback\` |`,
    `| Permissions (scopes) | ${list(scopes)} |`,
    ...(vettedScopes ? [`| Permissions of an app that is approved for more | ${list(vettedScopes)} |`] : []),
    `| Setting | \`${appSetting(platform)}=<client id>:<client secret>\` |`,
  ]
}

function list(scopes: readonly string[]): string {
  return scopes.map((scope) => `\`${scope}\``).join(', ')
}
