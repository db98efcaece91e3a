import { LimitedClient } from '../db/connection-limits.ts'

/** Whether PostgreSQL opens a session. While it starts or recovers, it listens but answers with an error. */
export async function acceptsLogins(url: string): Promise<boolean> {
  const client = new LimitedClient({ connectionString: url, application_name: 'carillon try' })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}
