import { existsSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stackDir, upStack, type Stack } from '@carillon/stack'
import { asDatabaseOwner, freePorts, makeCertificate, root, runCommand, startCeph, type Postgres } from '@carillon/stack/services'
import { openTlsProxy } from '../support/tls-proxy.ts'
import { startDrillStack, type DrillStack } from './start-drill-stack.ts'

/** Debian's PostgreSQL: its pgBackRest knows the same version. The PostgreSQL of the npm package is newer than that. */
const binaries = { initdb: '/usr/lib/postgresql/15/bin/initdb', postgres: '/usr/lib/postgresql/15/bin/postgres' }
const program = '/usr/bin/pgbackrest'
const settingsFile = join(root, 'deploy/database/pgbackrest.conf')

export type ArchivedDatabase = DrillStack & {
  postgres: Postgres
  engine: Stack['restate']
  engineDataDir: string
  /** Runs pgBackRest with the settings that operators get, as the owner of the database. */
  pgbackrest(args: readonly string[]): Promise<void>
}

/** A stack whose database is archived to an object store. */
export async function startArchivedDatabase(name: string): Promise<ArchivedDatabase> {
  const missing = [...(existsSync(binaries.postgres) ? [] : ['postgresql-15']), ...(existsSync(program) ? [] : ['pgbackrest'])]
  if (missing.length > 0)
    throw new Error(`the drill of a point-in-time restore needs Debian packages: apt install ${missing.join(' ')}`)

  const dir = stackDir(`${name}-store`)
  await rm(dir, { recursive: true, force: true })
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const each of stops.toReversed()) await each()
  }
  try {
    const ceph = await startCeph({ dir: join(dir, 'ceph') })
    stops.push(() => ceph.stop())
    // pgBackRest speaks only TLS to an object store.
    const { certFile, keyFile } = await makeCertificate(join(dir, 'tls'))
    const [tlsPort = 0, port = 0] = await freePorts(2)
    const proxy = await openTlsProxy({ host: `127.0.0.1:${tlsPort}`, certFile, keyFile, port: ceph.port })
    stops.push(async () => proxy.close())

    const socketDir = join(dir, 'socket')
    const env = {
      PGBACKREST_CONFIG: settingsFile,
      PGBACKREST_STANZA: 'carillon',
      PGBACKREST_REPO1_S3_BUCKET: ceph.bucket,
      PGBACKREST_REPO1_S3_ENDPOINT: '127.0.0.1',
      PGBACKREST_REPO1_S3_REGION: ceph.region,
      PGBACKREST_REPO1_S3_KEY: ceph.accessKey,
      PGBACKREST_REPO1_S3_KEY_SECRET: ceph.secretKey,
      PGBACKREST_REPO1_STORAGE_HOST: '127.0.0.1',
      PGBACKREST_REPO1_STORAGE_PORT: String(tlsPort),
      PGBACKREST_REPO1_STORAGE_VERIFY_TLS: 'n',
      PGBACKREST_REPO1_CIPHER_PASS: 'a password for the drill',
      PGBACKREST_PG1_PATH: join(stackDir(name), 'postgres', 'data'),
      PGBACKREST_PG1_SOCKET_PATH: socketDir,
      PGBACKREST_PG1_PORT: String(port),
      PGBACKREST_PG1_USER: 'postgres',
      PGBACKREST_LOCK_PATH: join(dir, 'lock'),
      PGBACKREST_SPOOL_PATH: join(dir, 'spool'),
    }
    const script = await writeScript(dir, env)
    for (const folder of [socketDir, env.PGBACKREST_LOCK_PATH, env.PGBACKREST_SPOOL_PATH]) await makeSharedFolder(folder)
    const stack = await upStack({
      name,
      roles: [],
      fsync: false,
      ports: { postgres: port },
      postgres: {
        binaries,
        settings: {
          unix_socket_directories: socketDir,
          archive_mode: 'on',
          archive_command: `${script} archive-push %p`,
          archive_timeout: '5',
        },
      },
    })
    stops.push(() => stack.stop())
    const drill = await startDrillStack({ stack, stop })
    return {
      ...drill,
      postgres: stack.postgres,
      engine: stack.restate,
      engineDataDir: join(stack.info.dir, 'restate', 'data'),
      async pgbackrest(args) {
        const isRestore = args.includes('restore')
        // The command that fetches the log is stored in the restored database, without the environment.
        const recovery = isRestore ? [`--recovery-option=restore_command=${script} archive-get %f "%p"`] : []
        const [command, all] = asDatabaseOwner(script, [...recovery, ...args])
        await runCommand(command, all)
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A program that runs pgBackRest with this environment: PostgreSQL's commands for archiving have no other way to get it. */
async function writeScript(dir: string, env: Record<string, string>): Promise<string> {
  await mkdir(dir, { recursive: true })
  const file = join(dir, 'pgbackrest.sh')
  const lines = Object.entries(env).map(([key, value]) => `export ${key}='${value}'`)
  await writeFile(file, `#!/bin/sh\n${lines.join('\n')}\nexec ${program} "$@"\n`)
  await chmod(file, 0o755)
  return file
}

/** A folder in which the owner of the database may write. */
async function makeSharedFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o777)
}
