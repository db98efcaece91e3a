import { chown, mkdir } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from './free-ports.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { startProgram, type Running } from './process.ts'
import { runCommand } from './run-command.ts'

export type PostgresOptions = {
  dir: string
  port?: number
  /** Off survives a crash of the process, not of the machine; good for tests, never for figures. */
  fsync?: boolean
  sharedBuffers?: string
  maxConnections?: number
}

export type Postgres = Running & { port: number; url: string }

/** PostgreSQL 18 on loopback, in a folder of its own; a folder that already holds a database is opened as it is. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dir, fsync = true, sharedBuffers = '128MB', maxConnections = 200 } = options
  const port = options.port ?? (await freePort())
  const data = join(dir, 'data')
  const { initdb, postgres } = await postgresBinaries()
  const user = unprivileged()
  await mkdir(dir, { recursive: true })
  if (user) await chown(dir, user.uid, user.gid)
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
    const [command, args] = stepDown(user, initdb, ['-D', data, ...flags])
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
  }
  const given = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const [command, args] = stepDown(user, postgres, ['-D', data, ...given])
  const running = await startProgram({
    name: 'PostgreSQL',
    command,
    args,
    cwd: dir,
    logFile: join(dir, 'postgres.log'),
    isReady: () => acceptsSessions(port),
    // SIGINT is PostgreSQL's "fast": it ends open sessions instead of waiting for them.
    stopSignal: 'SIGINT',
  })
  return Object.assign(running, { port, url: `postgres://postgres@127.0.0.1:${port}/postgres` })
}

type User = { uid: number; gid: number }

/**
 * The command as another user, who may still pass through folders that only root may enter: a clone often lies in one.
 * setpriv becomes the program, so the process number is the program's own.
 */
function stepDown(user: User | undefined, command: string, args: readonly string[]): [string, readonly string[]] {
  if (!user) return [command, args]
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  // Without the securebit, access(2) leaves the capability out of account, and initdb asks by it for its own programs.
  const passage = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return ['setpriv', [...identity, ...passage, command, ...args]]
}

/** PostgreSQL refuses to run as root: step down to its own user when there is one, else to nobody. */
function unprivileged(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" to run it as')
}

const protocolVersion = 196_608

/** Opens a session by hand: while it starts up or recovers, PostgreSQL listens but answers with an error. */
function acceptsSessions(port: number): Promise<boolean> {
  const words = Buffer.from('user\0postgres\0database\0postgres\0\0')
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + words.length, 0)
  head.writeInt32BE(protocolVersion, 4)
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([head, words])))
    const answer = (isReady: boolean) => {
      socket.destroy()
      done(isReady)
    }
    socket.setTimeout(2000, () => answer(false))
    socket.once('data', (bytes) => answer(bytes[0] === 'R'.charCodeAt(0)))
    socket.once('error', () => answer(false))
    socket.once('close', () => answer(false))
  })
}
