import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../problem/problem.ts'
import { acceptsLogins } from './accepts-logins.store.ts'
import { startService, type Service } from './start-service.ts'
import type { TrialPrograms } from './trial-programs.ts'

type Options = { dir: string; logFile: string; port: number; password: string; programs: TrialPrograms; signal: AbortSignal }

type User = { uid: number; gid: number }

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

/** PostgreSQL refuses to run as root: then it runs as the user `postgres` if there is one, otherwise as `nobody`. */
function findUnprivilegedUser(): User | null {
  if (process.getuid?.() !== 0) return null
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new StartError('PostgreSQL cannot run as root. Run this command as an ordinary user.')
}

/**
 * The command line that runs a program as another user. That user may still enter folders that only root may enter, because npm's folder is
 * often inside one. setpriv replaces itself with the program, so the process number stays the same.
 */
function asUser(user: User | null, command: string, args: readonly string[]): [string, string[]] {
  if (!user) return [command, [...args]]
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  // Without the securebit, access(2) ignores the capability, and initdb looks for its own programs with access(2).
  const capabilities = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return ['setpriv', [...identity, ...capabilities, command, ...args]]
}
