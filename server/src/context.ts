import type { connectors } from '@carillon/connectors'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './infra/db/db.ts'
import type { Egress } from './infra/egress/egress.ts'
import type { Engine } from './infra/engine/engine.ts'
import type { Mailer } from './infra/mail/mailer.ts'
import type { Resources } from './infra/resources/create-resources.ts'
import type { Storage } from './infra/storage/storage.ts'

/** Everything a use case may need, built once at start and passed as the first argument. */
export type Context = {
  config: Config
  db: Database
  log: Logger
  connectors: typeof connectors
  egress: Egress
  engine: Engine
  mail: Mailer
  storage: Storage
  /** What features keep per process: pools, caches, queues. Closed with the context. */
  resources: Resources<Context>
  nowMs(): number
}
