import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'smol-toml'
import type { EngineIdentity } from './engine-identity.ts'
import { restateBinary } from './restate-binary.ts'
import { startProgram, type Running } from './process.ts'

export type RestatePorts = { node: number; admin: number; ingress: number }

/** `identityKey` is the public key with which workers recognise the requests of this server. */
export type RestateNode = Running & RestateUrls & { ports: RestatePorts; identityKey: string }

export type RestateNodeOptions = {
  name: string
  dir: string
  ports: RestatePorts
  partitions: number
  /** Invocations at a time per partition leader. The engine's default of 1000 is too much for one worker process. */
  invocationsMax: number
  memory: RestateMemory
  identity: EngineIdentity
  extraSettings: Settings
  isReady: (urls: RestateUrls) => Promise<boolean>
}

type Settings = { [key: string]: string | number | boolean | readonly string[] | Settings }

export type RestateUrls = { ingressUrl: string; adminUrl: string; nodeUrl: string }

export type RestateMemory = { rocksdb: string; queries: string; records: string; invoker: string }

/** Starts one Restate server. Its settings are written into its own folder. */
export async function startRestateNode(options: RestateNodeOptions): Promise<RestateNode> {
  const { name, dir, ports } = options
  await mkdir(dir, { recursive: true })
  const settingsFile = join(dir, 'restate.toml')
  await writeFile(settingsFile, stringify(settingsOf(options)))
  const urls = {
    ingressUrl: `http://127.0.0.1:${ports.ingress}`,
    adminUrl: `http://127.0.0.1:${ports.admin}`,
    nodeUrl: `http://127.0.0.1:${ports.node}`,
  }
  const running = await startProgram({
    name: `Restate ${name}`,
    command: restateBinary('restate-server'),
    args: ['--config-file', settingsFile],
    cwd: dir,
    logFile: join(dir, 'restate.log'),
    env: { RUST_LOG: 'warn', RESTATE_LOG_DISABLE_ANSI_CODES: 'true' },
    isReady: () => options.isReady(urls),
  })
  return Object.assign(running, { ports, identityKey: options.identity.publicKey }, urls)
}

function settingsOf({
  name,
  dir,
  ports,
  partitions,
  invocationsMax,
  memory,
  identity,
  extraSettings,
}: RestateNodeOptions): Settings {
  const base: Settings = {
    'node-name': name,
    'cluster-name': 'carillon',
    'base-dir': join(dir, 'data'),
    'bind-address': `127.0.0.1:${ports.node}`,
    'advertised-address': `http://127.0.0.1:${ports.node}`,
    'listen-mode': 'tcp',
    'default-num-partitions': partitions,
    'disable-telemetry': true,
    'request-identity-private-key-pem-file': identity.privateKeyFile,
    'rocksdb-total-memory-size': memory.rocksdb,
    'default-journal-retention': '10m',
    'default-idempotency-retention': '1h',
    'default-workflow-completion-retention': '1h',
    admin: { 'bind-address': `127.0.0.1:${ports.admin}`, 'query-engine': { 'memory-size': memory.queries } },
    ingress: { 'bind-address': `127.0.0.1:${ports.ingress}` },
    bifrost: { 'default-provider': 'replicated', 'record-cache-memory-size': memory.records },
    worker: {
      'cleanup-interval': '1m',
      invoker: {
        'concurrent-invocations-limit': invocationsMax,
        'inactivity-timeout': '30s',
        'memory-limit': memory.invoker,
        // The server deletes this folder at every start, so nothing else may be in it.
        'tmp-dir': join(dir, 'invoker'),
      },
    },
  }
  return merge(base, extraSettings)
}

function merge(into: Settings, from: Settings): Settings {
  const merged = { ...into }
  for (const [key, value] of Object.entries(from)) {
    const old = merged[key]
    merged[key] = isTable(old) && isTable(value) ? merge(old, value) : value
  }
  return merged
}

function isTable(value: Settings[string] | undefined): value is Settings {
  return typeof value === 'object' && !Array.isArray(value)
}
