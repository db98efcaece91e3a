import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, startPostgres } from '@carillon/stack/services'
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

/** Copies a database with the current schema. Making one takes some seconds, so that the first test that needs one makes it for all. */
export async function copyTemplate(dir: string): Promise<void> {
  const made = join(inject('databaseTemplates'), 'made')
  if (!existsSync(made)) await makeTemplate(made)
  await runCommand('cp', ['-a', join(made, 'data'), dir])
}

async function makeTemplate(made: string): Promise<void> {
  const dir = await mkdtemp(`${made}-`)
  const postgres = await startPostgres({ dir, fsync: false })
  await prepareSchema(postgres.url)
  await postgres.stop()
  // Another worker may have been faster.
  await rename(dir, made).catch(() => rm(dir, { recursive: true }))
}
