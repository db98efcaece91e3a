import type { Config } from '../../config.ts'
import { StartError } from '../problem/problem.ts'
import { deriveLogins, groupRoles, loginOf, type GroupRole, type Login } from './derive-logins.ts'

/** The settings with the addresses of logins. */
export const loginSetting: Readonly<Record<GroupRole, string>> = {
  carillon_app: 'CARILLON_DATABASE_APP_URL',
  carillon_system: 'CARILLON_DATABASE_SYSTEM_URL',
}

type LoginConfig = Pick<Config, 'databaseUrl' | 'database' | 'secretKeys'>

/** The addresses with which the service itself connects: those that are configured, or else the ones made from the owner's. */
export function loginUrls(config: LoginConfig): Record<GroupRole, string> {
  const urlOf = (role: GroupRole) => configuredUrl(config, role) ?? deriveLogins(ownerUrl(config), config.secretKeys)[role].url
  return { carillon_app: urlOf('carillon_app'), carillon_system: urlOf('carillon_system') }
}

/** The logins that Carillon has to create, because they are not configured. */
export function loginsToCreate(config: LoginConfig): Login[] {
  const missing = groupRoles.filter((role) => configuredUrl(config, role) === null)
  return missing.map((role) => deriveLogins(ownerUrl(config), config.secretKeys)[role])
}

/** The logins that are configured. Carillon creates them only when it is told to. */
export function configuredLogins(config: LoginConfig): Login[] {
  return groupRoles.flatMap((role) => {
    const url = configuredUrl(config, role)
    if (url === null) return []
    const login = loginOf(role, url)
    if (login === null)
      throw new StartError(
        `${loginSetting[role]} names no login that could be created. Write it as postgres://name:password@host/database.`,
      )
    return [login]
  })
}

export function ownerUrl({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl === null)
    throw new StartError('DATABASE_URL is not set. This command needs it: the address of the database with its owner.')
  return databaseUrl
}

function configuredUrl({ database }: LoginConfig, role: GroupRole): string | null {
  return role === 'carillon_app' ? database.appUrl : database.systemUrl
}
