import { engineIdentity } from './engine-identity.ts'
import { freePorts } from './free-ports.ts'
import { startRestateNode, type RestateMemory, type RestateNode, type RestatePorts } from './restate-node.ts'
import { hasLeaders, isServing } from './restate-ready.ts'

export type RestateOptions = {
  dir: string
  ports?: RestatePorts
  partitions?: number
  invocationsMax?: number
  memory?: Partial<RestateMemory>
}

export type Restate = RestateNode

const smallMemory: RestateMemory = { rocksdb: '256.0 MiB', queries: '64.0 MiB', records: '32.0 MiB', invoker: '256.0 MiB' }

/** Starts one Restate node that provisions itself, as in a small installation. */
export async function startRestate(options: RestateOptions): Promise<Restate> {
  const partitions = options.partitions ?? 8
  return startRestateNode({
    name: 'n1',
    dir: options.dir,
    ports: options.ports ?? (await restatePorts()),
    partitions,
    invocationsMax: options.invocationsMax ?? 16,
    memory: { ...smallMemory, ...options.memory },
    identity: await engineIdentity(options.dir),
    extraSettings: { 'auto-provision': true, 'default-replication': 1 },
    isReady: async (urls) => (await isServing(urls)) && (await hasLeaders(urls, partitions)),
  })
}

async function restatePorts(): Promise<RestatePorts> {
  const [node = 0, admin = 0, ingress = 0] = await freePorts(3)
  return { node, admin, ingress }
}
