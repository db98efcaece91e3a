import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runCommand, startPostgres } from '@carillon/stack/services'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { prepareSchema } from './prepare-schema.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Only an interface adds to one of a library.
  interface ProvidedContext {
    databaseTemplates: string
  }
}

/** The folder for the template of a run of tests. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-template-'))
  provide('databaseTemplates', dir)
  return () => rm(dir, { recursive: true, force: true })
}

/**
 * Copies a database with the current schema. Making one takes some seconds, so that the first test that needs one makes it for all. A run of
 * mutants changes migrations between its tests, so a template is that of their texts.
 */
export async function copyTemplate(dir: string): Promise<void> {
  const made = join(inject('databaseTemplates'), await hashMigrations())
  if (!existsSync(made)) await makeTemplate(made)
  await runCommand('cp', ['-a', join(made, 'data'), dir])
}

async function hashMigrations(): Promise<string> {
  const dir = join(root, 'server/migrations')
  const hash = createHash('sha256')
  for (const name of (await readdir(dir)).toSorted()) hash.update(await readFile(join(dir, name)))
  return hash.digest('hex').slice(0, 16)
}

async function makeTemplate(made: string): Promise<void> {
  const dir = await mkdtemp(`${made}-`)
  const postgres = await startPostgres({ dir, fsync: false })
  await prepareSchema(postgres.url)
  await postgres.stop()
  // Another worker may have been faster.
  await rename(dir, made).catch(() => rm(dir, { recursive: true }))
}
