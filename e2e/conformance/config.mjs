import { readFileSync } from 'node:fs'

const list = (value) =>
  (Array.isArray(value) ? value : (value ?? '').split(','))
    .map((entry) => (typeof entry === 'string' ? entry.trim() : entry?.slug))
    .filter(Boolean)

function argument(name) {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : (process.argv[at + 1] ?? '')
}

/** Reads the settings from the environment, then from the JSON of a stack (`--stack FILE`; `-` is stdin). */
export function readConfig() {
  const file = argument('--stack')
  const stack = file ? JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8')) : {}
  const { env } = process
  const config = {
    baseUrl: (env.BASE_URL ?? stack.baseUrl ?? '').replace(/\/+$/, ''),
    apiKey: env.API_KEY ?? stack.apiKey,
    workspaceId: env.WORKSPACE_ID ?? stack.workspaceId,
    connections: list(env.CONNECTIONS ?? stack.connections),
    photoConnections: list(env.PHOTO_CONNECTIONS ?? stack.photoConnections),
    videoConnections: list(env.VIDEO_CONNECTIONS ?? stack.videoConnections),
    documentConnections: list(env.DOCUMENT_CONNECTIONS ?? stack.documentConnections),
    spareConnections: list(env.SPARE_CONNECTIONS ?? stack.spareConnections),
    failConnection: env.FAIL_CONNECTION ?? stack.failConnection,
    unconfirmedConnection: env.UNCONFIRMED_CONNECTION ?? stack.unconfirmedConnection,
    otherApiKey: env.OTHER_API_KEY ?? stack.otherApiKey,
    otherWorkspaceId: env.OTHER_WORKSPACE_ID ?? stack.otherWorkspaceId,
    webhookHost: env.WEBHOOK_HOST ?? stack.webhookHost,
    webhookBaseUrl: (env.WEBHOOK_BASE_URL ?? stack.webhookBaseUrl)?.replace(/\/+$/, ''),
    webhookTlsCert: env.WEBHOOK_TLS_CERT ?? stack.webhookTlsCert,
    webhookTlsKey: env.WEBHOOK_TLS_KEY ?? stack.webhookTlsKey,
    only: list(argument('--only')),
    json: process.argv.includes('--json'),
    slow: process.argv.includes('--slow'),
  }
  const missing = ['baseUrl', 'apiKey', 'workspaceId'].filter((name) => !config[name])
  if (!config.connections.length) missing.push('connections')
  if (missing.length) {
    console.error(`missing: ${missing.join(', ')} (see README.md)`)
    process.exit(2)
  }
  return config
}
