import type { connectors } from '@carillon/connectors'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './db/db.ts'
import type { Egress } from './egress/egress.ts'
import type { Engine } from './engine/engine.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Storage } from './media/storage/storage.ts'

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
  nowMs(): number
}
