import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { explainError } from './explain-error.ts'

/** Guarantee: what an operator can correct is said in a sentence that names the file, and is not called an error in Carillon. */

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-explain-'))
  await writeFile(join(dir, 'file'), '')
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
const systemError = (code: string, syscall: string, path: string) =>
  Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path })

test('a backup that does not exist is named', async () => {
  const path = join(dir, 'manifest.json')
  expect(explainError(await errorOf(readFile(path)))).toBe(`There is no file or folder ${path}. Correct the name.`)
})

test('a folder inside a file is named', async () => {
  const path = join(dir, 'file', 'backups')
  expect(explainError(await errorOf(mkdir(path, { recursive: true })))).toBe(
    `${path} is not in a folder, but in a file. Correct the name.`,
  )
})

test.each([
  ['ENOENT', 'The folder /backups cannot be made.'],
  ['EROFS', 'Nothing can be written to /backups: its disk is read-only.'],
])('in a container, whose disk is read-only, %s tells where a backup can be written', (code, sentence) => {
  expect(explainError(systemError(code, 'mkdir', '/backups'))).toBe(
    `${sentence} Choose another folder; in a container, one of a volume, such as /data/backups.`,
  )
})

test('what is missing in the program itself stays an error in Carillon', () => {
  expect(explainError(systemError('ENOENT', 'spawn ffprobe', 'ffprobe'))).toBeNull()
  expect(explainError(new TypeError('x is undefined'))).toBeNull()
})

test('a full disk of the database is said', () => {
  expect(explainError(Object.assign(new Error('could not extend file'), { code: '53100' }))).toBe(
    'PostgreSQL has no room on its disk: could not extend file. Free some space there.',
  )
})
