import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { respondsOk } from './responds-ok.ts'
import { startService, type Service } from './start-service.ts'
import type { TrialPrograms } from './trial-programs.ts'

type EnginePorts = { ingress: number; admin: number; node: number }
type Options = { dir: string; logFile: string; ports: EnginePorts; programs: TrialPrograms; signal: AbortSignal }

/** Starts one Restate server for this machine only. */
export async function startEngine({ dir, logFile, ports, programs, signal }: Options): Promise<Service> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  return startService({
    name: 'Restate',
    command: programs.restate,
    args: [],
    logFile,
    cwd: dir,
    env: {
      RUST_LOG: 'warn',
      RESTATE_LOG_DISABLE_ANSI_CODES: 'true',
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_NODE_NAME: 'carillon',
      RESTATE_BASE_DIR: join(dir, 'data'),
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_ADDRESS: `127.0.0.1:${ports.node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${ports.node}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${ports.admin}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ports.ingress}`,
      RESTATE_DEFAULT_NUM_PARTITIONS: '8',
      RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256.0 MiB',
      RESTATE_WORKER__INVOKER__CONCURRENT_INVOCATIONS_LIMIT: '16',
      // The server deletes this folder at every start, so nothing else may be in it.
      RESTATE_WORKER__INVOKER__TMP_DIR: join(dir, 'invoker'),
    },
    stopSignal: 'SIGTERM',
    stopMsMax: 30_000,
    signal,
    isReady: async () =>
      (await respondsOk(`http://127.0.0.1:${ports.admin}/health`)) &&
      (await respondsOk(`http://127.0.0.1:${ports.ingress}/restate/health`)),
  })
}
