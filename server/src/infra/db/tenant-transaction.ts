import { CompiledQuery, Kysely, PostgresDialect, Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

type Access = 'read write' | 'read only'
type Work<T> = (tx: Transaction<Tables>) => Promise<T>

/**
 * Transactions in which one workspace is in sight. What opens them is sent ahead of the first statement instead of being waited for, and
 * statements asked for together travel together; Kysely's own transactions go to PostgreSQL and back for each. Should opening fail, what
 * follows can do no harm: where no workspace is set, row-level security shows nothing and takes nothing.
 */
export function tenantTransactions(pool: pg.Pool, onError: (error: Error) => void) {
  const dialect = new PostgresDialect({ pool })
  const driver = dialect.createDriver()
  const executor = new Kysely<Tables>({ dialect }).getExecutor()
  const ready = driver.init()
  return async <T>(workspaceId: string, access: Access, work: Work<T>): Promise<T> => {
    await ready
    const connection = await driver.acquireConnection()
    let isOpen = true
    const provideConnection: typeof executor.provideConnection = async (use) => {
      // By now the connection may serve another workspace.
      if (!isOpen) throw new Error('the transaction has ended')
      return use(connection)
    }
    const own = executor.withConnectionProvider({ provideConnection })
    const end = async (how: 'commitTransaction' | 'rollbackTransaction') => {
      try {
        await driver[how](connection)
      } finally {
        await driver.releaseConnection(connection)
      }
    }
    let result: T
    try {
      const opened = connection.executeQuery(opening(workspaceId, access))
      // Heard below; until then nobody listens.
      opened.catch(() => {})
      result = await work(new Transaction<Tables>({ config: { dialect }, dialect, driver, executor: own }))
      await opened
    } catch (error) {
      isOpen = false
      await end('rollbackTransaction').catch(onError)
      throw error
    }
    isOpen = false
    // What only read has all it wanted, and is answered first.
    if (access === 'read only') setImmediate(() => void end('commitTransaction').catch(onError))
    else await end('commitTransaction')
    return result
  }
}

/** In one message, which takes no parameters. */
function opening(workspaceId: string, access: Access): CompiledQuery {
  return CompiledQuery.raw(`begin ${access}; select set_config('carillon.workspace', ${pg.escapeLiteral(workspaceId)}, true)`)
}
