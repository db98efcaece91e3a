import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../../config.ts'
import { authSecrets } from '../auth-secrets.ts'
import { cookiePrefix, readCookie } from './session-cookie.ts'

type DeviceConfig = Pick<Config, 'publicUrl' | 'secretKeys'>

/** People who share a browser are remembered too, but a cookie must not grow without end. */
const devicesMax = 3
const validSeconds = 365 * 24 * 3600

/**
 * The id of the device if a person has signed in with this address on it before; otherwise null. Its attempts are counted apart from those
 * of strangers, so that strangers cannot lock the person out. The cookie proves nothing else and opens nothing.
 */
export function findKnownDevice(config: DeviceConfig, cookies: string | undefined, email: string): string | null {
  const found = readDevices(config, cookies).find(({ id, account }) => isSame(account, accountTag(secretOf(config), id, email)))
  return found?.id ?? null
}

/** The id of the device if anybody has signed in on it before; otherwise null. */
export function findDevice(config: DeviceConfig, cookies: string | undefined): string | null {
  return readDevices(config, cookies)[0]?.id ?? null
}

/** The `Set-Cookie` header that makes this device known for an address. */
export function knownDeviceCookie(config: DeviceConfig, cookies: string | undefined, email: string): string {
  const others = readDevices(config, cookies).filter(
    ({ id, account }) => !isSame(account, accountTag(secretOf(config), id, email)),
  )
  const id = randomBytes(12).toString('base64url')
  const added = { id, account: accountTag(secretOf(config), id, email) }
  const value = [added, ...others]
    .slice(0, devicesMax)
    .map((device) => `${device.id}.${device.account}.${sign(secretOf(config), device)}`)
    .join('~')
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(config)}=${value}; Max-Age=${validSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

type Device = { id: string; account: string }

/** The devices in the cookie that we signed. */
function readDevices(config: DeviceConfig, cookies: string | undefined): Device[] {
  const value = readCookie(cookies, cookieName(config))
  if (value === null || value.length > 1000) return []
  return value
    .split('~')
    .slice(0, devicesMax)
    .flatMap((token) => {
      const [id = '', account = '', signature = ''] = token.split('.')
      return isSame(signature, sign(secretOf(config), { id, account })) ? [{ id, account }] : []
    })
}

function cookieName(config: DeviceConfig): string {
  return `${cookiePrefix(config)}.device`
}

function secretOf({ secretKeys }: DeviceConfig): string {
  return authSecrets(secretKeys)[0].value
}

function accountTag(secret: string, id: string, email: string): string {
  return hmac(secret, `account ${id} ${email.trim().toLowerCase()}`)
}

function sign(secret: string, { id, account }: Device): string {
  return hmac(secret, `device ${id} ${account}`)
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
