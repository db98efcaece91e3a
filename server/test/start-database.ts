import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@carillon/stack/services'
import { copyTemplate } from './database-template.ts'

export type TestDatabase = { url: string; stop(): Promise<void> }

/** A real PostgreSQL server with the current schema, shared by the tests of a file. */
export async function startDatabase(): Promise<TestDatabase> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-test-'))
  await copyTemplate(dir)
  const postgres = await startPostgres({ dir, fsync: false })
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
