import { chown, mkdir } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from './free-ports.ts'
import { postgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { startProgram, type Running } from './process.ts'
import { runCommand } from './run-command.ts'

export type PostgresOptions = {
  dir: string
  port?: number
  /** When off, data survive a crash of the process but not of the machine. For tests, never for benchmarks. */
  fsync?: boolean
  sharedBuffers?: string
  maxConnections?: number
  /** Another PostgreSQL than the one of the npm package. */
  binaries?: PostgresBinaries
  /** Further settings, or other values for those that are set here. */
  settings?: Record<string, string>
}

export type Postgres = Running & { port: number; url: string }

/** Starts PostgreSQL, version 18 unless `binaries` says otherwise, on loopback with its data in `dir`. A database that is already there is opened as it is. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dir, fsync = true, sharedBuffers = '128MB', maxConnections = 200 } = options
  const port = options.port ?? (await freePort())
  const data = join(dir, 'data')
  const { initdb, postgres } = options.binaries ?? (await postgresBinaries())
  const user = findUnprivilegedUser()
  await mkdir(dir, { recursive: true })
  if (user) await chown(dir, user.uid, user.gid)
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
    const [command, args] = asUser(user, initdb, ['-D', data, ...flags])
    await runCommand(command, args, { cwd: dir })
  }
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: fsync ? 'on' : 'off',
    shared_buffers: sharedBuffers,
    max_connections: String(maxConnections),
    max_wal_size: '512MB',
    ...options.settings,
  }
  const settingArgs = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const [command, args] = asUser(user, postgres, ['-D', data, ...settingArgs])
  const running = await startProgram({
    name: 'PostgreSQL',
    command,
    args,
    cwd: dir,
    logFile: join(dir, 'postgres.log'),
    isReady: () => acceptsSessions(port),
    // SIGINT is PostgreSQL's fast shutdown: it ends open sessions instead of waiting for them.
    stopSignal: 'SIGINT',
  })
  return Object.assign(running, { port, url: `postgres://postgres@127.0.0.1:${port}/postgres` })
}

/** The command line that runs a program as the owner of the databases' files. */
export function asDatabaseOwner(command: string, args: readonly string[]): [string, readonly string[]] {
  return asUser(findUnprivilegedUser(), command, args)
}

type User = { uid: number; gid: number }

/**
 * The command line that runs a program as another user. That user may still enter folders that only root may enter, because a clone is
 * often inside one. setpriv replaces itself with the program, so the process number stays the same.
 */
function asUser(user: User | undefined, command: string, args: readonly string[]): [string, readonly string[]] {
  if (!user) return [command, args]
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  // Without the securebit, access(2) ignores the capability, and initdb looks for its own programs with access(2).
  const capabilities = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return ['setpriv', [...identity, ...capabilities, command, ...args]]
}

/** PostgreSQL refuses to run as root: use the user `postgres` if it exists, otherwise `nobody`. */
function findUnprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" to run it as')
}

const protocolVersion = 196_608

/** Whether a session can be opened. While PostgreSQL starts or recovers, it listens but answers with an error. */
function acceptsSessions(port: number): Promise<boolean> {
  const parameters = Buffer.from('user\0postgres\0database\0postgres\0\0')
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + parameters.length, 0)
  head.writeInt32BE(protocolVersion, 4)
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([head, parameters])))
    const finish = (isReady: boolean) => {
      socket.destroy()
      done(isReady)
    }
    socket.setTimeout(2000, () => finish(false))
    socket.once('data', (bytes) => finish(bytes[0] === 'R'.charCodeAt(0)))
    socket.once('error', () => finish(false))
    socket.once('close', () => finish(false))
  })
}
