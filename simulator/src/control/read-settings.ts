import { isFields, numberOf, textOf, type Fields } from '../http/fields.ts'
import { refuse } from '../http/reply.ts'
import type { Platform } from '../platform.ts'
import type { PlatformSettings, RegisteredApp, SettingName } from '../state/platform-settings.ts'

type Reader = { expected: string; read: (value: unknown) => unknown }

const flag: Reader = { expected: 'true or false', read: (value) => (typeof value === 'boolean' ? value : undefined) }
const amount: Reader = { expected: 'a number of at least 0', read: readAmount }
const amountOrNull: Reader = { expected: 'a number or null', read: (value) => (value === null ? null : readAmount(value)) }
const secondPublish: Reader = {
  expected: 'refuse or repeat',
  read: (value) => (value === 'refuse' || value === 'repeat' ? value : undefined),
}

const registeredApp: Reader = { expected: 'null, or clientId, clientSecret and redirectUris', read: readApp }
const videoService: Reader = {
  expected: 'working, missing or cannot-store',
  read: (value) => (value === 'working' || value === 'missing' || value === 'cannot-store' ? value : undefined),
}

const readers: Record<SettingName, Reader> = {
  latencyMs: amount,
  notReadyMs: amount,
  processingMs: amount,
  imageProcessingMs: amount,
  processingFails: flag,
  readDelayMs: amount,
  accessTokenSeconds: amountOrNull,
  app: registeredApp,
  duplicateFilter: flag,
  duplicateWindowMs: amount,
  secondPublish,
  containerStatusDelayMs: amount,
  containersShown: flag,
  idempotencyKeys: flag,
  videoService,
  blobBytesMax: amount,
  refreshTokens: flag,
  singleUseRefreshTokens: flag,
  audited: flag,
}
const otherNames = ['platform', 'rateLimits', 'limits']

/**
 * The settings in a request that the platform has. A request for all platforms may contain settings that only some have. Unknown names
 * and wrong values are refused, because a test whose setting is ignored proves nothing.
 */
export function readSettings({ context }: Platform, fields: Fields): Partial<PlatformSettings> {
  const settings: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (otherNames.includes(name)) continue
    if (!isSettingName(name)) throw refuse(400, { error: `no setting ${name}; there are ${Object.keys(readers).join(', ')}` })
    const { expected, read } = readers[name]
    const setting = read(value)
    if (setting === undefined) throw refuse(400, { error: `${name} must be ${expected}` })
    if (name in context.settings) settings[name] = setting
    else if (fields['platform'] !== undefined) throw refuse(400, { error: `${context.name} has no setting ${name}` })
  }
  return settings
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(readers, name)
}

function readApp(value: unknown): RegisteredApp | null | undefined {
  if (value === null) return null
  if (!isFields(value)) return undefined
  const [clientId, clientSecret] = [textOf(value['clientId']), textOf(value['clientSecret'])]
  const uris: unknown = value['redirectUris']
  if (clientId === undefined || clientSecret === undefined || !Array.isArray(uris)) return undefined
  return { clientId, clientSecret, redirectUris: uris.filter((uri) => typeof uri === 'string') }
}

function readAmount(value: unknown): number | undefined {
  const amountRead = numberOf(value)
  return amountRead !== undefined && amountRead >= 0 ? amountRead : undefined
}
