import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installDebian } from './debian.ts'
import { freePorts } from './free-ports.ts'
import { identityOf } from './live-process.ts'
import { killProcess, stopProcess, type StoppableProcess } from './process.ts'
import { runCommand } from './run-command.ts'

export type CephOptions = { dir: string; bucket?: string; port?: number; monPort?: number }

/** An S3 store with path-style addresses only. It is empty after every start. */
export type Ceph = {
  url: string
  port: number
  region: string
  bucket: string
  accessKey: string
  secretKey: string
  /** In the order they start. They must be stopped in reverse, because an OSD hangs when its monitor stops first. */
  daemons: StoppableProcess[]
  stop(): Promise<void>
  kill(): Promise<void>
  restart(): Promise<void>
}

const script = join(import.meta.dirname, 'ceph.sh')
const packages = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-mgr', 'ceph-common', 'ceph-base', 'curl']
const daemonNames = ['mon.a', 'mgr.x', 'osd.0', 'client.rgw']
const keys = { accessKey: 'testkey', secretKey: 'testsecret' }

export async function installCeph(): Promise<void> {
  if (!existsSync('/usr/bin/radosgw') || !existsSync('/usr/bin/ceph-osd')) await installDebian(packages)
}

/** Starts Ceph's S3 gateway on a cluster with one daemon of each kind, which keeps its data in memory. */
export async function startCeph({ dir, bucket = 'carillon-test', ...preferred }: CephOptions): Promise<Ceph> {
  await installCeph()
  const [freeGateway = 0, freeMon = 0] = await freePorts(2)
  const port = preferred.port ?? freeGateway
  const env = {
    CEPH_DIR: dir,
    S3_PORT: String(port),
    CEPH_MON_PORT: String(preferred.monPort ?? freeMon),
    S3_BUCKET: bucket,
    S3_ACCESS_KEY: keys.accessKey,
    S3_SECRET_KEY: keys.secretKey,
  }
  const ceph: Ceph = {
    url: `http://127.0.0.1:${port}`,
    port,
    region: 'us-east-1',
    bucket,
    ...keys,
    daemons: [],
    async stop() {
      await runCommand('bash', [script, 'stop'], { env })
    },
    async kill() {
      await Promise.all(ceph.daemons.map(({ identity }) => killProcess(identity)))
    },
    async restart() {
      await ceph.stop()
      await runCommand('bash', [script, 'start'], { env })
      ceph.daemons = await Promise.all(daemonNames.map((name) => readDaemon(dir, name)))
    },
  }
  await ceph.restart()
  return ceph
}

async function readDaemon(dir: string, name: string): Promise<StoppableProcess> {
  const pid = Number(await readFile(join(dir, 'run', `${name}.pid`), 'utf8'))
  const identity = identityOf(pid)
  return { name: `ceph ${name}`, pid, identity, stopSignal: 'SIGTERM', stopWithinMs: 15_000, stop: () => stopProcess(identity) }
}
