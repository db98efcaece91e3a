import { connectors } from '@carillon/connectors'
import { pino } from 'pino'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { openDatabase } from './db/db.ts'
import { parseAllow } from './egress/address.ts'
import { createEgress } from './egress/egress.ts'
import { createEngine } from './engine/create-engine.ts'
import { createMailer } from './mail/create-mailer.ts'
import { createStorage } from './media/storage/create-storage.ts'

/** Opens everything a process needs; `close` gives it all back. */
export function createContext(config: Config): { ctx: Context; close(): Promise<void> } {
  const log = pino({
    level: config.logLevel,
    redact: ['req.headers.authorization', 'req.headers.cookie', '*.accessToken', '*.refreshToken', '*.secret'],
  })
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  const db = openDatabase({ url: config.databaseUrl, tenantConnections: 20, systemConnections: 20, onError })
  const engine = createEngine({ ingressUrl: config.restateIngressUrl, db, log })
  const egress = createEgress({ allow: parseAllow([...config.egressAllow]) })
  const storage = createStorage(config)
  const mail = createMailer(config.mail, log)
  const ctx = { config, db, log, connectors, egress, engine, mail, storage, nowMs: Date.now }
  return {
    ctx,
    async close() {
      mail.close()
      await Promise.all([engine.close(), egress.close()])
      await db.close()
    },
  }
}
