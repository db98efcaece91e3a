import { connectors } from '@carillon/connectors'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { type Database, openDatabase } from './infra/db/db.ts'
import { setIdCell } from './infra/db/ids.ts'
import { parseAllow } from './infra/egress/address.ts'
import { createEgress } from './infra/egress/egress.ts'
import type { Engine } from './infra/engine/engine.ts'
import { openIngress } from './infra/engine/ingress.ts'
import { notifyWorkers } from './infra/engine/notify-workers.store.ts'
import { createLog } from './infra/log/create-log.ts'
import { withAddress } from './infra/logins/derive-logins.ts'
import { loginUrls } from './infra/logins/login-urls.ts'
import { createMailer } from './infra/mail/mailer.ts'
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

/** However many posts are created, workers are notified at most this often. */
const wakeEveryMs = 20

function createEngine({
  ingressUrl,
  db,
  log,
}: {
  ingressUrl: string
  db: Database
  log: Logger
}): Engine & { close(): Promise<void> } {
  const ingress = openIngress(ingressUrl)
  let pending: NodeJS.Timeout | null = null
  return {
    wakeWorkers() {
      pending ??= setTimeout(() => {
        pending = null
        notifyWorkers(db.system).catch((error: unknown) =>
          log.warn({ err: error }, 'workers were not notified; their next poll finds the post'),
        )
      }, wakeEveryMs)
    },
    send: (job, key) => ingress.send(job, key),
    waitFor: (job, key) => ingress.waitFor(job, key),
    async close() {
      if (pending) clearTimeout(pending)
      await ingress.close()
    },
  }
}
