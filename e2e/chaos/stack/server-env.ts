import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StackInfo } from '@carillon/stack'
import type { CarillonEnv } from '@carillon/stack/services'
import { platforms } from '../plan/platform-traits.ts'

/** The settings that a stack gives its servers. They are repeated here because chaos starts its servers itself, each with its own links. */
export function serverEnv(info: StackInfo): CarillonEnv {
  const { secretKeys } = JSON.parse(readFileSync(join(info.dir, 'kept.json'), 'utf8')) as { secretKeys: string }
  const { port, origin } = new URL(info.baseUrl)
  return {
    DATABASE_URL: info.databaseUrl,
    RESTATE_INGRESS_URL: info.restateIngressUrl,
    RESTATE_ADMIN_URL: info.restateAdminUrl,
    RESTATE_IDENTITY_KEYS: info.restateIdentityKey,
    CARILLON_HOST: '127.0.0.1',
    CARILLON_PORT: port,
    CARILLON_PUBLIC_URL: origin,
    CARILLON_SECRET_KEYS: secretKeys,
    // Tests sign people up.
    CARILLON_SIGN_UP: 'open',
    CARILLON_EGRESS_ALLOW: '127.0.0.0/8',
    CARILLON_PLATFORM_ORIGINS: platformOrigins(info.simulatorUrl),
    CARILLON_MEDIA_DIR: join(info.dir, 'media'),
    NODE_EXTRA_CA_CERTS: info.webhookTlsCert,
  }
}

export function platformOrigins(simulatorUrl: string): string {
  return JSON.stringify(Object.fromEntries(platforms.map((platform) => [platform, `${simulatorUrl}/${platform}`])))
}
