import { freePort } from '@carillon/stack/services'
import type { Role } from '@carillon/stack/services'
import { upStack, type Stack } from '@carillon/stack'
import pg from 'pg'
import { registerCleanup } from '../cleanup.ts'
import { enableStatements } from '../measure/statements.ts'
import { logProgress } from '../log-progress.ts'
import { controlSimulator, type SimulatorControl } from './simulator.ts'

export type BenchStack = {
  stack: Stack
  db: pg.Pool
  simulator: SimulatorControl
  headers: Record<string, string>
  inspectPort: number
  [Symbol.asyncDispose](): Promise<void>
}

type Options = {
  name?: string
  roles?: readonly Role[]
  /** This many workers behind a balancer, beside an API, instead of the roles. */
  workers?: number
  env?: Record<string, string>
  explain?: boolean
}

let isSharing = false
let shared: BenchStack | undefined

/** From now on all scenarios with the usual processes use the same stack. Only for short runs, whose figures are not kept. */
export function shareBenchStack(): void {
  isSharing = true
}

export async function stopSharedStack(): Promise<void> {
  await shared?.[Symbol.asyncDispose]()
  shared = undefined
}

/** Starts a fresh stack with fsync on, without effective rate limits, and with statistics about the SQL statements. */
export async function startBenchStack(options: Options = {}): Promise<BenchStack> {
  if (!isSharing) return startFreshStack(options)
  if (options.roles || options.workers) {
    await stopSharedStack()
    return startFreshStack(options)
  }
  shared ??= await startFreshStack(options)
  return { ...shared, async [Symbol.asyncDispose]() {} }
}

async function startFreshStack({
  name = 'bench',
  roles = ['api', 'worker'],
  workers,
  env = {},
  explain = false,
}: Options): Promise<BenchStack> {
  const inspectPort = await freePort()
  const stack = await upStack({
    name,
    roles,
    ...(workers !== undefined && { workers }),
    fsync: true,
    env: {
      CARILLON_REQUESTS_PER_MINUTE: '100000000',
      CARILLON_LOG_LEVEL: 'warn',
      // The port is opened only when the process receives a signal, so it costs nothing without --profile.
      NODE_OPTIONS: `--inspect-port=${inspectPort}`,
      ...env,
    },
    report: ({ name: step, tookMs }) => logProgress(`✔ ${step} (${(tookMs / 1000).toFixed(1)} s)`),
  })
  const unregister = registerCleanup(() => stack.stop())
  const { info } = stack
  await enableStatements(stack, { explain })
  const db = new pg.Pool({ connectionString: info.databaseUrl, max: 4, application_name: 'bench' })
  db.on('error', () => {})
  const simulator = controlSimulator(info.simulatorUrl)
  // Records of earlier releases were made with containers that are ready at once.
  await simulator.settings({ rateLimits: false, notReadyMs: 0 })
  return {
    stack,
    db,
    simulator,
    headers: { authorization: `Bearer ${info.apiKey}`, 'x-workspace-id': info.workspaceId },
    inspectPort,
    async [Symbol.asyncDispose]() {
      unregister()
      await db.end()
      await stack.stop()
    },
  }
}
