import type { FastifyInstance } from 'fastify'
import { httpHooks } from '../src/commands/http-hooks.ts'
import { readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { createContext } from '../src/create-context.ts'
import { createApp, type Routes } from '../src/infra/http/create-app.ts'
import type { TestDatabase } from './start-database.ts'

export const secretKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`

type Options = {
  database: TestDatabase
  env?: Record<string, string>
  /** Replaces parts of the context, for example the clock. */
  replace?: Partial<Context>
  api?: readonly Routes[]
  root?: readonly Routes[]
}

export type TestServer = { ctx: Context; app: FastifyInstance; close(): Promise<void> }

/** The HTTP application with the routes under test and a real database. It does not listen: tests inject requests or call `listen`. */
export function openServer({ database, env = {}, replace = {}, api = [], root = [] }: Options): TestServer {
  const config = readConfig({
    DATABASE_URL: database.url,
    CARILLON_SECRET_KEYS: secretKeys,
    CARILLON_LOG_LEVEL: 'silent',
    ...env,
  })
  const opened = createContext(config)
  const ctx = { ...opened.ctx, ...replace }
  const app = createApp(ctx, { hooks: httpHooks(ctx), api, root })
  return {
    ctx,
    app,
    async close() {
      await app.close()
      await opened.close()
    },
  }
}
