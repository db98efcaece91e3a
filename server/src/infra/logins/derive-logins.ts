import { createHash, hkdfSync } from 'node:crypto'
import { StartError } from '../problem/problem.ts'
import type { SecretKeys } from '../sealing/seal.ts'

/** The roles that have rights on the tables. A login is a member of one of them. */
export const groupRoles = ['carillon_app', 'carillon_system'] as const
export type GroupRole = (typeof groupRoles)[number]

export type Login = {
  role: GroupRole
  name: string
  password: string
  /** The address of the database with this login. */
  url: string
}

export type Logins = Readonly<Record<GroupRole, Login>>

/**
 * The logins of an installation that has only the address of the database's owner. Name and password follow from the first secret key, so
 * that nothing else has to be stored. A new key in front gives new logins, while processes that still have the old list keep theirs.
 */
export function deriveLogins(ownerUrl: string, { sealing, keys }: SecretKeys): Logins {
  const key = keys.get(sealing)
  if (!key) throw new Error(`there is no secret key ${sealing}`)
  const login = (role: GroupRole): Login => {
    const name = `${loginPrefix(ownerUrl, role)}${derive(key, 'login name', 4).toString('hex')}`
    const password = derive(key, `login password ${name}`, 32).toString('base64url')
    return { role, name, password, url: withLogin(ownerUrl, { name, password }) }
  }
  return { carillon_app: login('carillon_app'), carillon_system: login('carillon_system') }
}

/** The name without the part of the key. Roles belong to the whole cluster, so the name contains a hash of the database's name. */
export function loginPrefix(ownerUrl: string, role: GroupRole): string {
  const database = createHash('sha256').update(parseAddress(ownerUrl).database).digest('hex').slice(0, 8)
  return `${role}_${database}_`
}

function derive(key: Buffer, what: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `carillon database ${what}`, length))
}

/** The same address with another user. */
function withLogin(url: string, { name, password }: { name: string; password: string }): string {
  const { scheme, host, database, options } = parseAddress(url)
  for (const option of ['user', 'password']) options.delete(option)
  const end = options.size > 0 ? `?${options.toString()}` : ''
  return `${scheme}${name}:${password}@${host}/${encodeURIComponent(database)}${end}`
}

/** The login that an address names, or null if it lacks the name or the password. */
export function loginOf(role: GroupRole, url: string): Login | null {
  const [, , userInfo = ''] = parts.exec(url) ?? []
  const [name = '', ...rest] = userInfo.split(':')
  const password = rest.join(':')
  return name === '' || password === ''
    ? null
    : { role, name: decodeURIComponent(name), password: decodeURIComponent(password), url }
}

/** The same login at another address, which has no user of its own. */
export function withAddress(url: string, address: string): string {
  if (!parts.test(address))
    throw new StartError(
      'CARILLON_DATABASE_POOLER_URL must start with postgres://, for example postgres://127.0.0.1:6432/carillon.',
    )
  const [, , userInfo = ''] = parts.exec(url) ?? []
  const { scheme, host, database, options } = parseAddress(address)
  const end = options.size > 0 ? `?${options.toString()}` : ''
  return `${scheme}${userInfo}@${host}/${encodeURIComponent(database || parseAddress(url).database)}${end}`
}

const parts = /^(postgres(?:ql)?:\/\/)(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?(.*))?$/i

/** Not with the URL class, which cannot change the user of an address without a host: `postgres:///carillon?host=/run/postgresql`. */
function parseAddress(url: string) {
  const [, scheme, userInfo = '', host = '', path = '', query = ''] = parts.exec(url) ?? []
  if (!scheme)
    throw new StartError(
      'DATABASE_URL must start with postgres:// so that logins can be made from it. Otherwise set CARILLON_DATABASE_APP_URL and ' +
        'CARILLON_DATABASE_SYSTEM_URL.',
    )
  const options = new URLSearchParams(query)
  const user = options.get('user') ?? decodeURIComponent(userInfo.split(':')[0] ?? '')
  // As libpq does: without a name, the database is named like the user.
  return { scheme, host, database: decodeURIComponent(path) || user, options }
}
