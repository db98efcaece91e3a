import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The users that run the services in deploy/compose.yaml. The owner of the tables is used by the service that migrates, with the program of
 * Carillon; the last is root in the image of PostgreSQL, which steps down by itself.
 */
const users = { carillon: 10_001, owner: 10_001, engine: 10_002, database: 0 } as const

export type Folders = {
  /** Each service sees only its own secrets. */
  secrets: Record<keyof typeof users, string>
  /** Folders of data that must belong to a service. */
  data: { carillon: string; backups: string; engine: string; database: string }
}

export const containerFolders: Folders = {
  secrets: {
    carillon: '/prepare/carillon-secrets',
    owner: '/prepare/owner-secrets',
    engine: '/prepare/engine-secrets',
    database: '/prepare/database-secrets',
  },
  data: {
    carillon: '/prepare/carillon-data',
    backups: '/prepare/backups',
    engine: '/prepare/engine-data',
    database: '/prepare/database-data',
  },
}

/** Stops the start with a sentence for the operator. */
export class PrepareError extends Error {}

/**
 * Makes the secrets of an installation at its first start: the password of the database's superuser, the passwords of the two logins with which
 * the service works, the key that encrypts stored tokens and the key with which the engine signs its requests. A later start changes none of them.
 */
export async function prepare({ secrets, data }: Folders, giveTo: typeof chown = chown): Promise<'created' | 'kept'> {
  const settings = join(secrets.carillon, 'carillon.env')
  const found = await readFile(settings, 'utf8').catch(() => null)
  if (found === null && (await hasDatabase(data.database))) throw new PrepareError(lostSecrets)
  for (const [folder, user] of [
    [data.carillon, users.carillon],
    [data.backups, users.carillon],
    [data.engine, users.engine],
  ] as const) {
    await mkdir(folder, { recursive: true })
    await giveTo(folder, user, user)
  }
  const file = (user: keyof typeof users, name: string, text: () => string) =>
    ensureFile({ path: join(secrets[user], name), text, give: (path) => giveTo(path, users[user], users[user]) })
  const pem = await file('engine', 'identity.pem', createKey)
  const known = await readFile(join(secrets.database, 'password'), 'utf8').catch(() => null)
  const owner = await file(
    'owner',
    'owner.env',
    () => `DATABASE_URL=postgres://carillon:${known ?? newPassword()}@postgres/carillon\n`,
  )
  await file('carillon', 'carillon.env', () =>
    [
      ...loginSettings(),
      `CARILLON_SECRET_KEYS=k1:${randomBytes(32).toString('base64')}`,
      `RESTATE_IDENTITY_KEYS=${publicKeyOf(pem)}`,
      '',
    ].join('\n'),
  )
  if (found !== null) {
    // A file that was put back from a backup belongs to whoever put it there.
    await giveTo(settings, users.carillon, users.carillon)
    const text = adjustSettings(found, publicKeyOf(pem))
    if (text !== found) await writeWhole({ path: settings, text, give: (path) => giveTo(path, users.carillon, users.carillon) })
  }
  // This file comes last: PostgreSQL waits for it and the engine waits for PostgreSQL, so while it is missing, nothing else was started.
  await file('database', 'password', () => new URL(owner.trim().replace('DATABASE_URL=', '')).password)
  return found === null ? 'created' : 'kept'
}

/** Installations of before had the superuser's password here, and a file from another machine has the public key of another engine. */
function adjustSettings(text: string, engineKey: string): string {
  const withLogins = text.replace(/^DATABASE_URL=.*$/m, () => loginSettings().join('\n'))
  return withLogins.includes(engineKey)
    ? withLogins
    : withLogins.replace(/^RESTATE_IDENTITY_KEYS=.*$/m, `RESTATE_IDENTITY_KEYS=${engineKey}`)
}

/** `carillon migrate --create-logins` creates these two, which own nothing. */
function loginSettings(): string[] {
  const url = (name: string) => `postgres://${name}:${newPassword()}@postgres/carillon`
  return [
    `CARILLON_DATABASE_APP_URL=${url('carillon_service_app')}`,
    `CARILLON_DATABASE_SYSTEM_URL=${url('carillon_service_system')}`,
  ]
}

function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

const lostSecrets =
  'The database has data, but the secrets that belong to it are gone (carillon.env in the volume carillon-secrets). Put the file back from ' +
  'your backup and start again. With new secrets, the stored tokens could not be read. To begin with an empty installation instead, remove ' +
  'all volumes: docker compose down --volumes'

type NewFile = { path: string; text: () => string; give: (path: string) => Promise<void> }

/** Reads a file, or makes it. */
async function ensureFile({ path, text, give }: NewFile): Promise<string> {
  const found = await readFile(path, 'utf8').catch(() => null)
  if (found !== null) return found
  const content = text()
  await mkdir(join(path, '..'), { recursive: true })
  await writeWhole({ path, text: content, give })
  return content
}

/** Writes a file: complete or not at all, and readable for its owner only. */
async function writeWhole({ path, text, give }: Omit<NewFile, 'text'> & { text: string }): Promise<void> {
  const temporary = `${path}.new`
  await writeFile(temporary, text, { mode: 0o600 })
  await give(temporary)
  await rename(temporary, path)
}

function createKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function publicKeyOf(pem: string): string {
  const { x } = createPublicKey(pem).export({ format: 'jwk' })
  return `publickeyv1_${base58(Buffer.from(x ?? '', 'base64url'))}`
}

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The number in base 58, with one `1` for each leading zero byte. */
function base58(bytes: Buffer): string {
  let text = ''
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 58n) text = `${digits[Number(rest % 58n)]}${text}`
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return `${'1'.repeat(Math.max(zeros, 0))}${text}`
}

/** PostgreSQL writes this file into each folder of a database. In its image, the folder is two levels below the volume. */
async function hasDatabase(folder: string, depth = 2): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  if (entries.some(({ name }) => name === 'PG_VERSION')) return true
  if (depth === 0) return false
  const folders = entries.filter((entry) => entry.isDirectory())
  return (await Promise.all(folders.map(({ name }) => hasDatabase(join(folder, name), depth - 1)))).includes(true)
}

if (import.meta.main) {
  try {
    console.log(`secrets ${await prepare(containerFolders)}`)
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
