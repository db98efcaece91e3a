import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { newId } from '../../infra/db/ids.ts'
import { authSecrets } from './auth-secrets.ts'
import { cookiePrefix } from './session-cookie.ts'

/** Signs a person in without a password, and returns the cookie as a browser sends it. */
export async function openSession({ config, db, nowMs }: Context, personId: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const at = new Date(nowMs())
  const row = { id: newId(nowMs()), person_id: personId, token, expires_at: new Date(nowMs() + 86_400_000) }
  await db.system
    .insertInto('session')
    .values({ ...row, created_at: at, updated_at: at })
    .execute()
  const [{ value: secret }] = authSecrets(config.secretKeys)
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `${cookiePrefix(config)}.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}
