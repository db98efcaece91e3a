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

type Options = { name?: string; roles?: readonly Role[]; env?: Record<string, string>; explain?: boolean }

/** A fresh stack with fsync on, its limits on requests out of the way, and a look at what PostgreSQL is asked. */
export async function startBenchStack({
  name = 'bench',
  roles = ['api', 'worker'],
  env = {},
  explain = false,
}: Options = {}): Promise<BenchStack> {
  const inspectPort = await freePort()
  const stack = await upStack({
    name,
    roles,
    fsync: true,
    env: {
      CARILLON_REQUESTS_PER_MINUTE: '100000000',
      CARILLON_LOG_LEVEL: 'warn',
      // Opened only when the process is told to by a signal: profiling costs nothing unless asked for.
      NODE_OPTIONS: `--inspect-port=${inspectPort}`,
      ...env,
    },
    report: ({ name: step, tookMs }) => logProgress(`✔ ${step} (${(tookMs / 1000).toFixed(1)} s)`),
  })
  const forget = registerCleanup(() => stack.stop())
  const { info } = stack
  await enableStatements(stack, { explain })
  const db = new pg.Pool({ connectionString: info.databaseUrl, max: 4, application_name: 'bench' })
  db.on('error', () => {})
  const simulator = controlSimulator(info.simulatorUrl)
  await simulator.settings({ rateLimits: false })
  return {
    stack,
    db,
    simulator,
    headers: { authorization: `Bearer ${info.apiKey}`, 'x-workspace-id': info.workspaceId },
    inspectPort,
    async [Symbol.asyncDispose]() {
      forget()
      await db.end()
      await stack.stop()
    },
  }
}
