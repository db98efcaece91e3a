import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const iterations = 4096

/**
 * The form in which PostgreSQL stores a password. It is computed here, because a password in a statement could end up in the log of the
 * database.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest()
  const keys = `${storedKey.toString('base64')}:${hmac('Server Key').toString('base64')}`
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${keys}`
}
