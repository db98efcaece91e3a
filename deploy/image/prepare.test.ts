import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepare, PrepareError, type Folders } from './prepare.ts'

let dir = ''
let folders: Folders
const owners = new Map<string, number>()
const giveTo = async (path: unknown, uid: number) => void owners.set(String(path), uid)

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'prepare-'))
  const at = (name: string) => join(dir, name)
  folders = {
    secrets: { carillon: at('carillon-secrets'), engine: at('engine-secrets'), database: at('database-secrets') },
    data: { carillon: at('carillon-data'), engine: at('engine-data'), database: at('database-data') },
  }
  for (const path of [...Object.values(folders.secrets), at('database-data')]) await mkdir(path)
  owners.clear()
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const settingsFile = () => join(folders.secrets.carillon, 'carillon.env')

async function readSettings(): Promise<Record<string, string>> {
  const lines = (await readFile(settingsFile(), 'utf8')).trim().split('\n')
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/** Guarantee: an installation needs no secret from its operator, and no service can read the secrets of another. */
test('the first start makes all secrets, readable for their owners only', async () => {
  expect(await prepare(folders, giveTo)).toBe('created')
  const password = await readFile(join(folders.secrets.database, 'password'), 'utf8')
  const settings = await readSettings()
  expect(settings['DATABASE_URL']).toBe(`postgres://carillon:${password}@postgres/carillon`)
  expect(password.length).toBeGreaterThanOrEqual(32)
  expect(Buffer.from(settings['CARILLON_SECRET_KEYS']?.replace('k1:', '') ?? '', 'base64')).toHaveLength(32)
  expect(settings['RESTATE_IDENTITY_KEYS']).toMatch(/^publickeyv1_[1-9A-HJ-NP-Za-km-z]{40,50}$/)
  for (const path of [settingsFile(), join(folders.secrets.engine, 'identity.pem'), join(folders.secrets.database, 'password')])
    expect([path, (await stat(path)).mode & 0o777]).toEqual([path, 0o600])
  const uids = [...owners].map(([path, uid]) => [path.slice(dir.length + 1).replace(/\.new$/, ''), uid])
  expect(Object.fromEntries(uids)).toEqual({
    'carillon-data': 10_001,
    'engine-data': 10_002,
    'database-secrets/password': 0,
    'engine-secrets/identity.pem': 10_002,
    'carillon-secrets/carillon.env': 10_001,
  })
})

/** Guarantee: a restart changes no secret. */
test('a later start keeps what is there', async () => {
  await prepare(folders, giveTo)
  const before = await readSettings()
  expect(await prepare(folders, giveTo)).toBe('kept')
  expect(await readSettings()).toEqual(before)
})

/** Guarantee: a first start that was interrupted is continued with the secrets that it had made. */
test('an interrupted first start is continued', async () => {
  await prepare(folders, giveTo)
  const password = await readFile(join(folders.secrets.database, 'password'), 'utf8')
  await rm(settingsFile())
  expect(await prepare(folders, giveTo)).toBe('created')
  expect((await readSettings())['DATABASE_URL']).toContain(password)
})

/** Guarantee: stored tokens are never made unreadable by a new key without a word. */
test('lost secrets of a database with data stop the start', async () => {
  await prepare(folders, giveTo)
  const database = join(dir, 'database-data/18/docker')
  await mkdir(database, { recursive: true })
  await writeFile(join(database, 'PG_VERSION'), '18\n')
  await chmod(database, 0o700)
  expect(await prepare(folders, giveTo)).toBe('kept')
  await rm(settingsFile())
  await expect(prepare(folders, giveTo)).rejects.toThrow(PrepareError)
  await expect(prepare(folders, giveTo)).rejects.toThrow('Put the file back from your backup')
})
