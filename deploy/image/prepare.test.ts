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
    secrets: {
      carillon: at('carillon-secrets'),
      owner: at('owner-secrets'),
      engine: at('engine-secrets'),
      database: at('database-secrets'),
    },
    data: { carillon: at('carillon-data'), backups: at('backups'), engine: at('engine-data'), database: at('database-data') },
  }
  for (const path of [...Object.values(folders.secrets), at('database-data')]) await mkdir(path)
  owners.clear()
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const settingsFile = () => join(folders.secrets.carillon, 'carillon.env')

function readSecret(path: string): Promise<string> {
  const [user = '', name = ''] = path.split('/')
  return readFile(join(dir, `${user}-secrets`, name), 'utf8')
}

async function readSettings(): Promise<Record<string, string>> {
  const lines = (await readFile(settingsFile(), 'utf8')).trim().split('\n')
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/** Guarantee: an installation needs no secret from its operator, and no service can read the secrets of another. */
test('the first start makes all secrets, readable for their owners only', async () => {
  expect(await prepare(folders, giveTo)).toBe('created')
  const password = await readFile(join(folders.secrets.database, 'password'), 'utf8')
  const settings = await readSettings()
  const owner = await readFile(join(folders.secrets.owner, 'owner.env'), 'utf8')
  expect(owner).toBe(`DATABASE_URL=postgres://carillon:${password}@postgres/carillon\n`)
  expect(password.length).toBeGreaterThanOrEqual(32)
  expect(Buffer.from(settings['CARILLON_SECRET_KEYS']?.replace('k1:', '') ?? '', 'base64')).toHaveLength(32)
  expect(settings['RESTATE_IDENTITY_KEYS']).toMatch(/^publickeyv1_[1-9A-HJ-NP-Za-km-z]{40,50}$/)
  for (const path of [settingsFile(), join(folders.secrets.engine, 'identity.pem'), join(folders.secrets.database, 'password')])
    expect([path, (await stat(path)).mode & 0o777]).toEqual([path, 0o600])
  const uids = [...owners].map(([path, uid]) => [path.slice(dir.length + 1).replace(/\.new$/, ''), uid])
  expect(Object.fromEntries(uids)).toEqual({
    'carillon-data': 10_001,
    backups: 10_001,
    'engine-data': 10_002,
    'owner-secrets/owner.env': 10_001,
    'database-secrets/password': 0,
    'engine-secrets/identity.pem': 10_002,
    'carillon-secrets/carillon.env': 10_001,
  })
})

/** Guarantee: the service that people reach cannot connect to the database as its superuser. */
test('the settings of the service have two logins of their own, and not the password of the superuser', async () => {
  await prepare(folders, giveTo)
  const password = await readFile(join(folders.secrets.database, 'password'), 'utf8')
  const settings = await readSettings()
  expect(Object.values(settings).join(' ')).not.toContain(password)
  expect(settings['DATABASE_URL']).toBeUndefined()
  const urls = [settings['CARILLON_DATABASE_APP_URL'], settings['CARILLON_DATABASE_SYSTEM_URL']].map((url) => new URL(url ?? ''))
  expect(urls.map(({ username }) => username)).toEqual(['carillon_service_app', 'carillon_service_system'])
  expect(new Set(urls.map(({ password: each }) => each)).size).toBe(2)
})

test('an installation of before loses the password of the superuser from these settings, and keeps everything else', async () => {
  await prepare(folders, giveTo)
  const { CARILLON_SECRET_KEYS: keys } = await readSettings()
  const password = await readFile(join(folders.secrets.database, 'password'), 'utf8')
  await writeFile(
    settingsFile(),
    `DATABASE_URL=postgres://carillon:${password}@postgres/carillon\nCARILLON_SECRET_KEYS=${keys}\n`,
  )
  expect(await prepare(folders, giveTo)).toBe('kept')
  const settings = await readSettings()
  expect(settings).toEqual({
    CARILLON_DATABASE_APP_URL: expect.stringContaining('carillon_service_app'),
    CARILLON_DATABASE_SYSTEM_URL: expect.stringContaining('carillon_service_system'),
    CARILLON_SECRET_KEYS: keys,
  })
  await prepare(folders, giveTo)
  expect(await readSettings()).toEqual(settings)
})

/** Guarantee: the secrets of a backup work on another machine, where the engine has another key. */
test('settings from another machine get the public key of the engine here, and belong to the service', async () => {
  await prepare(folders, giveTo)
  const here = await readSettings()
  const there = { ...here, CARILLON_SECRET_KEYS: 'k1:of another machine', RESTATE_IDENTITY_KEYS: 'publickeyv1_other' }
  await writeFile(
    settingsFile(),
    Object.entries(there)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  owners.clear()
  expect(await prepare(folders, giveTo)).toBe('kept')
  expect(await readSettings()).toEqual({ ...there, RESTATE_IDENTITY_KEYS: here['RESTATE_IDENTITY_KEYS'] })
  expect(owners.get(settingsFile())).toBe(10_001)
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
  const made = () => Promise.all(['database/password', 'owner/owner.env', 'engine/identity.pem'].map(readSecret))
  const before = await made()
  await rm(settingsFile())
  expect(await prepare(folders, giveTo)).toBe('created')
  expect(await made()).toEqual(before)
})

/** Guarantee: PostgreSQL and the engine, which wait for the password, start when everything else is there. */
test('the password of the database is made last, and is the one of the owner after an interruption too', async () => {
  const interrupted = async (path: unknown, uid: number) => {
    if (String(path).includes('password')) throw new Error('the machine was switched off')
    owners.set(String(path), uid)
  }
  await expect(prepare(folders, interrupted)).rejects.toThrow('switched off')
  await expect(readSecret('database/password')).rejects.toThrow('ENOENT')
  const before = await Promise.all(['owner/owner.env', 'engine/identity.pem', 'carillon/carillon.env'].map(readSecret))
  expect(await prepare(folders, giveTo)).toBe('kept')
  expect(await Promise.all(['owner/owner.env', 'engine/identity.pem', 'carillon/carillon.env'].map(readSecret))).toEqual(before)
  expect(before[0]).toContain(`carillon:${await readSecret('database/password')}@`)
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
