import { CompiledQuery, Kysely, PostgresDialect, Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

type Access = 'read write' | 'read only'
type Work<T> = (tx: Transaction<Tables>) => Promise<T>

/**
 * Transactions that can see one workspace. The statement that opens them is sent together with the first statement, and statements that are
 * issued together are sent together; Kysely's own transactions wait for each. If opening fails, the statements that follow are harmless:
 * without a workspace, row-level security shows no row and accepts none.
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
      // By now another workspace may be using the connection.
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
      // Awaited below. Until then, a rejection would count as unhandled.
      opened.catch(() => {})
      result = await work(new Transaction<Tables>({ config: { dialect }, dialect, driver, executor: own }))
      await opened
    } catch (error) {
      isOpen = false
      await end('rollbackTransaction').catch(onError)
      throw error
    }
    isOpen = false
    // A read-only transaction already has its result, so the caller need not wait for the end.
    if (access === 'read only') setImmediate(() => void end('commitTransaction').catch(onError))
    else await end('commitTransaction')
    return result
  }
}

/**
 * An answer that is read with several statements shows one moment: not the text of a post from before a change and its files from after it.
 * Changes wait for locks instead, and must then see what is newest.
 */
const modes: Record<Access, string> = { 'read write': 'read write', 'read only': 'isolation level repeatable read read only' }

/** Both statements in one message; such a message cannot have parameters. */
function opening(workspaceId: string, access: Access): CompiledQuery {
  return CompiledQuery.raw(
    `begin ${modes[access]}; select set_config('carillon.workspace', ${pg.escapeLiteral(workspaceId)}, true)`,
  )
}
