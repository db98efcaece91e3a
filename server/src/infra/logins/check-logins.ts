import type { Database } from '../db/db.ts'
import { StartError } from '../problem/problem.ts'
import type { GroupRole } from './derive-logins.ts'
import { readRights, type Rights } from './login.store.ts'
import { loginSetting } from './login-urls.ts'

/** Throws unless both logins have the rights of their role and no way to more: then nothing that runs in them can switch off a policy. */
export async function checkLogins(db: Database): Promise<void> {
  await check('carillon_app', () => db.readOnly('', (tx) => readRights(tx, 'carillon_app')))
  await check('carillon_system', () => readRights(db.system, 'carillon_system'))
}

async function check(role: GroupRole, read: () => Promise<Rights>): Promise<void> {
  const { name, isMember, attributes, others } = await read().catch((error: unknown) => {
    throw explainRefusal(role, error)
  })
  const faults = [
    ...attributes.map((attribute) => `has the attribute ${attribute}`),
    ...(isMember ? [] : [`is not a member of ${role}`]),
    ...(others.length > 0 && !attributes.includes('superuser') ? [`is a member of ${others.join(', ')}`] : []),
  ]
  if (faults.length === 0) return
  throw new StartError(
    `The database login "${name}" ${faults.join(' and ')}. It must be a member of ${role} and of nothing else, without further ` +
      `attributes, so that row-level security holds. Change ${loginSetting[role]}, or leave it empty: then Carillon makes the login.`,
  )
}

/** 28000: no line of pg_hba.conf allows the login. 28P01: another password. */
function explainRefusal(role: GroupRole, error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string }
  if (code !== '28000' && code !== '28P01') return error
  return new StartError(
    `PostgreSQL refuses the login of the role ${role}: ${message}. Allow logins with a password (scram-sha-256) in pg_hba.conf for the ` +
      `address in DATABASE_URL, or set ${loginSetting[role]} to a login of your own.`,
    { cause: error },
  )
}
