import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { newId } from '../../infra/db/ids.ts'
import { authSecrets } from './auth-secrets.ts'
import { cookiePrefix } from './session-cookie.ts'

/** Signs a person in without a password, and returns the cookie as a browser sends it. */
export async function openSession({ config, db, nowMs }: Context, personId: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await sql`
    insert into session (id, person_id, token, expires_at, created_at, updated_at)
    values (${newId(nowMs())}, ${personId}, ${token}, now() + interval '1 day', now(), now())`.execute(db.system)
  const [{ value: secret }] = authSecrets(config.secretKeys)
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `${cookiePrefix(config)}.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}
