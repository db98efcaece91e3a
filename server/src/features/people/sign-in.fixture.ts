import { createHmac } from 'node:crypto'
import type { Context } from '../../context.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { authSecrets } from './auth-secrets.ts'
import { cookiePrefix } from './cookies/session-cookie.ts'

/** Opens a session for a person without a password, and returns the cookie header of their browser. */
export async function signInAs({ config, db, nowMs }: Context, personId: string): Promise<string> {
  const token = newUuid()
  // By the clock of the server, which a test may move: otherwise the session has ended there, depending on the time of day.
  const atMs = nowMs()
  const now = new Date(atMs)
  const row = {
    id: newUuid(),
    person_id: personId,
    token,
    expires_at: new Date(atMs + 3_600_000),
    created_at: now,
    updated_at: now,
  }
  await db.system.insertInto('session').values(row).execute()
  const [{ value: secret }] = authSecrets(config.secretKeys)
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `${cookiePrefix(config)}.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}
