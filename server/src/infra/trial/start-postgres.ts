import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { acceptsLogins } from './accepts-logins.store.ts'
import { startService, type Service } from './start-service.ts'
import type { TrialPrograms } from './trial-programs.ts'
import { asUser, findUnprivilegedUser, type User } from './unprivileged-user.ts'

type Options = { dir: string; logFile: string; port: number; password: string; programs: TrialPrograms; signal: AbortSignal }

/** Starts PostgreSQL for this machine only, and creates its database at the first start. */
export async function startPostgres({
  dir,
  logFile,
  port,
  password,
  programs,
  signal,
}: Options): Promise<Service & { url: string }> {
  const data = join(dir, 'data')
  const user = findUnprivilegedUser()
  await mkdir(dir, { recursive: true, mode: 0o700 })
  if (user) await chown(dir, user.uid, user.gid)
  if (!existsSync(join(data, 'PG_VERSION'))) await createCluster({ dir, data, password, initdb: programs.initdb, user })
  const settings = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '', shared_buffers: '64MB' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command, args] = asUser(user, programs.postgres, ['-D', data, ...flags])
  const url = `postgres://carillon:${password}@127.0.0.1:${port}/postgres`
  const service = await startService({
    name: 'PostgreSQL',
    command,
    args,
    logFile,
    cwd: dir,
    // PostgreSQL's fast shutdown: it ends open sessions instead of waiting for them.
    stopSignal: 'SIGINT',
    stopMsMax: 30_000,
    signal,
    isReady: () => acceptsLogins(url),
  })
  return { ...service, url }
}

type Cluster = { dir: string; data: string; password: string; initdb: string; user: User | null }

async function createCluster({ dir, data, password, initdb, user }: Cluster): Promise<void> {
  const passwordFile = join(dir, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user) await chown(passwordFile, user.uid, user.gid)
  const flags = [
    '-U',
    'carillon',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
    '--no-instructions',
  ]
  const [command, args] = asUser(user, initdb, ['-D', data, ...flags])
  try {
    await promisify(execFile)(command, args, { cwd: dir })
  } finally {
    await rm(passwordFile, { force: true })
  }
}
