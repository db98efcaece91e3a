import { resolve } from 'node:path'
import { parseSecretKeys, type SecretKeys } from './infra/sealing/secret-keys.ts'

export type Config = {
  databaseUrl: string
  restateIngressUrl: string
  restateAdminUrl: string
  host: string
  port: number
  workerPort: number
  workerUrl: string
  publicUrl: string
  secretKeys: SecretKeys
  /** Networks that user-chosen addresses may reach although they are not public. */
  egressAllow: readonly string[]
  /** Where a platform's API is instead of its own address, for the simulator. */
  platformOrigins: Readonly<Record<string, string>>
  /** Developer apps by platform, for those that need one. */
  apps: Readonly<Record<string, { clientId: string; clientSecret: string }>>
  /** Platforms whose app was vetted for pages: people connect the pages they manage in place of themselves. */
  vettedApps: readonly string[]
  /** The language model behind /ai; null when there is none. */
  ai: AiConfig | null
  media: MediaConfig
  /** Null when this install sends no mail. */
  mail: MailConfig | null
  /** Whether somebody nobody invited may make an account. */
  signUp: 'open' | 'closed'
  /** Where people of an organisation sign in; null when there is no such place. */
  oidc: OidcConfig | null
  /** Proxies whose word on a caller's address is taken. */
  trustedProxies: readonly string[]
  /** The plan new workspaces start on. */
  plan: 'free' | 'pro' | 'business'
  requestsPerMinute: number
  logLevel: string
}

/** Any endpoint that speaks OpenAI's chat completions. The operator chose it, so it is reached without the egress guard. */
export type AiConfig = {
  url: string
  key: string | null
  model: string
  /** `schema` binds the model to our form; `object` is for endpoints that only know "answer in JSON". */
  json: 'schema' | 'object'
  /** For a whole request, however often the model is asked. */
  timeoutMs: number
  /** Tokens a workspace may use in a calendar month (UTC); null means unlimited. */
  monthlyTokens: number | null
}

/** An identity provider that speaks OpenID Connect. The operator chose it, so it is reached without the egress guard. */
export type OidcConfig = {
  issuer: string
  clientId: string
  clientSecret: string
  /** What the button says. */
  name: string
  /** Take every address it gives as the person's own, for providers that never say whether they checked it. */
  trustEmail: boolean
}

export type MailConfig = { smtpUrl: string; from: string }

export type MediaConfig = {
  /** Where media are kept without an S3 store, and where they rest while being checked with one. */
  dir: string
  s3: S3Config | null
  /** In front of /files, where a folder's files are served: another host than the app's keeps what users sent away from its cookies. */
  filesUrl: string
  sizeBytesMax: number
  /** How long the address of a file works that a client was given. */
  urlSeconds: number
  /** How long a platform may take to fetch a file it was given the address of. */
  pullSeconds: number
}

export type S3Config = {
  /** Null means Amazon's own. */
  endpoint: string | null
  /** How browsers and platforms reach the store, where that differs. */
  publicEndpoint: string | null
  region: string
  bucket: string
  accessKey: string
  secretKey: string
  /** `host/bucket/key` instead of `bucket.host/key`. */
  pathStyle: boolean
}

/** The only reader of the environment. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const port = number(env, 'CARILLON_PORT', 3000)
  const workerPort = number(env, 'CARILLON_WORKER_PORT', 9080)
  const host = env['CARILLON_HOST'] ?? '127.0.0.1'
  const publicUrl = env['CARILLON_PUBLIC_URL'] ?? `http://${host}:${port}`
  return {
    databaseUrl: required(env, 'DATABASE_URL'),
    restateIngressUrl: env['RESTATE_INGRESS_URL'] ?? 'http://127.0.0.1:8080',
    restateAdminUrl: env['RESTATE_ADMIN_URL'] ?? 'http://127.0.0.1:9070',
    host,
    port,
    workerPort,
    workerUrl: env['CARILLON_WORKER_URL'] ?? `http://127.0.0.1:${workerPort}`,
    publicUrl,
    secretKeys: parseSecretKeys(required(env, 'CARILLON_SECRET_KEYS')),
    egressAllow: list(env['CARILLON_EGRESS_ALLOW']),
    platformOrigins: origins(env['CARILLON_PLATFORM_ORIGINS']),
    apps: { ...standIns(env['CARILLON_PLATFORM_ORIGINS']), ...apps(env) },
    vettedApps: list(env['CARILLON_VETTED_APPS']),
    ai: ai(env),
    media: media(env, publicUrl),
    mail: mail(env),
    signUp: signUp(env['CARILLON_SIGN_UP']),
    oidc: oidc(env),
    trustedProxies: list(env['CARILLON_TRUSTED_PROXIES']),
    plan: plan(env['CARILLON_PLAN']),
    requestsPerMinute: number(env, 'CARILLON_REQUESTS_PER_MINUTE', 6000),
    logLevel: env['CARILLON_LOG_LEVEL'] ?? 'info',
  }
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name]
  if (!value) throw new Error(`${name} is not set; see docs/configuration.md`)
  return value
}

function number(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const value = Number(env[name] ?? fallback)
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} must be a whole number, not "${env[name]}"`)
  return value
}

function list(words: string | undefined): string[] {
  return (words ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}

function isTrue(env: NodeJS.ProcessEnv, name: string, fallback: 'true' | 'false'): boolean {
  const word = env[name] ?? fallback
  if (word !== 'true' && word !== 'false') throw new Error(`${name} must be true or false, not "${word}"`)
  return word === 'true'
}

function signUp(word: string | undefined): Config['signUp'] {
  if (word === undefined || word === 'open') return 'open'
  if (word === 'closed') return word
  throw new Error(`CARILLON_SIGN_UP must be open or closed, not "${word}"`)
}

function oidc(env: NodeJS.ProcessEnv): OidcConfig | null {
  const issuer = env['CARILLON_OIDC_ISSUER']
  if (!issuer) return null
  return {
    issuer,
    clientId: required(env, 'CARILLON_OIDC_CLIENT_ID'),
    clientSecret: required(env, 'CARILLON_OIDC_CLIENT_SECRET'),
    name: env['CARILLON_OIDC_NAME'] ?? 'Single sign-on',
    trustEmail: isTrue(env, 'CARILLON_OIDC_TRUST_EMAIL', 'false'),
  }
}

function ai(env: NodeJS.ProcessEnv): AiConfig | null {
  const url = env['CARILLON_AI_URL']
  if (!url) return null
  const json = env['CARILLON_AI_JSON'] ?? 'schema'
  if (json !== 'schema' && json !== 'object') throw new Error(`CARILLON_AI_JSON must be schema or object, not "${json}"`)
  const timeoutMs = number(env, 'CARILLON_AI_TIMEOUT_MS', 20_000)
  // An idempotency claim lasts two minutes, and must outlast the work.
  if (timeoutMs < 1 || timeoutMs > 90_000) throw new Error('CARILLON_AI_TIMEOUT_MS must be 1 to 90000')
  return {
    url,
    key: env['CARILLON_AI_KEY'] || null,
    model: required(env, 'CARILLON_AI_MODEL'),
    json,
    timeoutMs,
    monthlyTokens: number(env, 'CARILLON_AI_MONTHLY_TOKENS', 0) || null,
  }
}

function media(env: NodeJS.ProcessEnv, publicUrl: string): MediaConfig {
  const pullSeconds = number(env, 'CARILLON_MEDIA_PULL_SECONDS', 86_400)
  // S3 signs for a week at most.
  if (pullSeconds < 60 || pullSeconds > 604_800) throw new Error('CARILLON_MEDIA_PULL_SECONDS must be 60 to 604800')
  const urlSeconds = number(env, 'CARILLON_MEDIA_URL_SECONDS', 3600)
  if (urlSeconds < 1 || urlSeconds > 604_800) throw new Error('CARILLON_MEDIA_URL_SECONDS must be 1 to 604800')
  return {
    dir: resolve(env['CARILLON_MEDIA_DIR'] ?? './data/media'),
    s3: s3(env),
    filesUrl: (env['CARILLON_FILES_URL'] ?? publicUrl).replace(/\/+$/, ''),
    sizeBytesMax: number(env, 'CARILLON_MEDIA_BYTES_MAX', 2 * 1024 ** 3),
    urlSeconds,
    pullSeconds,
  }
}

function s3(env: NodeJS.ProcessEnv): S3Config | null {
  const bucket = env['CARILLON_S3_BUCKET']
  if (!bucket) return null
  return {
    endpoint: env['CARILLON_S3_ENDPOINT'] || null,
    publicEndpoint: env['CARILLON_S3_PUBLIC_ENDPOINT'] || null,
    region: env['CARILLON_S3_REGION'] ?? 'us-east-1',
    bucket,
    accessKey: required(env, 'CARILLON_S3_ACCESS_KEY'),
    secretKey: required(env, 'CARILLON_S3_SECRET_KEY'),
    pathStyle: isTrue(env, 'CARILLON_S3_PATH_STYLE', 'true'),
  }
}

function plan(word: string | undefined): Config['plan'] {
  if (word === undefined || word === 'business') return 'business'
  if (word === 'free' || word === 'pro') return word
  throw new Error(`CARILLON_PLAN must be free, pro or business, not "${word}"`)
}

/** `CARILLON_APP_<PLATFORM>=<client id>:<client secret>`, one variable a platform. */
function apps(env: NodeJS.ProcessEnv): Config['apps'] {
  const prefix = 'CARILLON_APP_'
  return Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value = '']) => {
        const [clientId = '', clientSecret = ''] = value.split(':')
        return [name.slice(prefix.length).toLowerCase(), { clientId, clientSecret }]
      }),
  )
}

/** A simulator takes any developer app; the real platforms know only registered ones. */
function standIns(origin: string | undefined): Config['apps'] {
  const app = { clientId: 'carillon', clientSecret: 'carillon' }
  return Object.fromEntries(Object.keys(origins(origin)).map((platform) => [platform, app]))
}

function mail(env: NodeJS.ProcessEnv): MailConfig | null {
  const smtpUrl = env['CARILLON_SMTP_URL']
  return smtpUrl ? { smtpUrl, from: required(env, 'CARILLON_MAIL_FROM') } : null
}

function origins(json: string | undefined): Record<string, string> {
  if (!json) return {}
  const parsed: unknown = JSON.parse(json)
  if (typeof parsed !== 'object' || parsed === null)
    throw new Error('CARILLON_PLATFORM_ORIGINS must be a JSON map of platform to origin')
  return Object.fromEntries(Object.entries(parsed).map(([platform, origin]) => [platform, String(origin)]))
}
