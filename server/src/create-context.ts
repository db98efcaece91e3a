import { connectors } from '@carillon/connectors'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { openDatabase } from './infra/db/db.ts'
import { setIdCell } from './infra/db/ids.ts'
import { parseAllow } from './infra/egress/address.ts'
import { createEgress } from './infra/egress/egress.ts'
import { createEngine } from './infra/engine/create-engine.ts'
import { createLog } from './infra/log/create-log.ts'
import { withAddress } from './infra/logins/derive-logins.ts'
import { loginUrls } from './infra/logins/login-urls.ts'
import { createMailer } from './infra/mail/create-mailer.ts'
import { createResources } from './infra/resources/create-resources.ts'
import { createStorage } from './infra/storage/create-storage.ts'

/** Opens everything a process needs; `close` closes all of it. `logTo` is where its log goes, if not to its output. */
export function createContext(config: Config, logTo?: NodeJS.WritableStream): { ctx: Context; close(): Promise<void> } {
  const log = createLog(config.logLevel, logTo)
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  const { database } = config
  const urls = loginUrls(config)
  const pooled = (url: string) => (database.poolerUrl === null ? url : withAddress(url, database.poolerUrl))
  const db = openDatabase({
    appUrl: pooled(urls.carillon_app),
    systemUrl: pooled(urls.carillon_system),
    ...(database.poolerUrl !== null && { listenUrl: urls.carillon_system }),
    tenant: { connections: database.tenantConnections, statementMs: database.tenantStatementSeconds * 1000 },
    system: { connections: database.systemConnections, statementMs: database.systemStatementSeconds * 1000 },
    onError,
  })
  setIdCell(config.cell)
  const engine = createEngine({ ingressUrl: config.restateIngressUrl, db, log })
  const egress = createEgress({ allow: parseAllow([...config.egressAllow]) })
  const storage = createStorage(config)
  const mail = createMailer(config.mail, log)
  const resources = createResources<Context>()
  const ctx: Context = { config, db, log, connectors, egress, engine, mail, storage, resources, nowMs: Date.now }
  return {
    ctx,
    async close() {
      mail.close()
      await resources.close()
      await Promise.all([engine.close(), egress.close()])
      await db.close()
    },
  }
}
