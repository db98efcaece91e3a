import { chown, mkdir, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installDebian } from './debian.ts'
import { startProgram, type Running } from './process.ts'
import { isListening } from './wait-until.ts'

const binary = '/usr/sbin/pgbouncer'
/** Debian's `nobody`: PgBouncer refuses to run as root. */
const unprivileged = { name: 'nobody', id: 65_534 }

export type PgBouncerOptions = { dir: string; port: number; postgresPort: number; serverConnections: number }
export type PgBouncer = Running & { url: string }

/** Starts PgBouncer in transaction mode in front of a PostgreSQL of a stack. It asks PostgreSQL for the password of each login. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const { dir, port } = options
  if (!existsSync(binary)) await installDebian(['pgbouncer'])
  await mkdir(dir, { recursive: true })
  const settingsFile = join(dir, 'pgbouncer.ini')
  const [logFile, usersFile] = [join(dir, 'pgbouncer.log'), join(dir, 'users.txt')]
  await writeFile(usersFile, '"postgres" ""\n')
  await writeFile(settingsFile, settingsOf(options, usersFile))
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [dir, settingsFile, usersFile]) await chown(path, unprivileged.id, unprivileged.id)
  const running = await startProgram({
    name: 'PgBouncer',
    command: binary,
    args: [...(isRoot ? ['-u', unprivileged.name] : []), settingsFile],
    logFile,
    isReady: () => isListening(port),
    // SIGINT waits until clients are done; SIGTERM ends at once.
    stopSignal: 'SIGTERM',
  })
  return Object.assign(running, { url: `postgres://127.0.0.1:${port}/postgres` })
}

function settingsOf({ port, postgresPort, serverConnections }: PgBouncerOptions, usersFile: string): string {
  return `[databases]
* = host=127.0.0.1 port=${postgresPort}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
max_client_conn = 500
default_pool_size = ${serverConnections}
auth_type = scram-sha-256
auth_file = ${usersFile}
auth_user = postgres
auth_query = select usename, passwd from pg_shadow where usename = $1
`
}
