import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startPostgres } from './postgres.ts'

/** Guarantee: after a crash PostgreSQL starts again on the same port and data, without waiting for processes left by the crash. */
test('PostgreSQL survives a SIGKILL', { timeout: 60_000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-postgres-'))
  const postgres = await startPostgres({ dir, fsync: false })
  try {
    await postgres.kill()
    await postgres.restart()
    expect(postgres.isAlive()).toBe(true)
  } finally {
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
})
