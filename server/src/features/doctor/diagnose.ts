import { readConfig, type Config } from '../../config.ts'
import type { Environment } from '../../config/read-settings.ts'
import { StartError } from '../../infra/problem/problem.ts'
import { fail, skipped, type Machine } from './check.ts'
import { checks } from './checks.ts'
import { walkMcp } from './walk-mcp.ts'
import { type NamedFinding, runChecks, thisMachine } from './run-checks.ts'

export type Diagnosis = { status: 'ok' | 'warn' | 'fail'; checks: NamedFinding[] }

type Options = { env?: Environment; machine?: Partial<Machine> }

/** Checks an installation from its settings to its services. It changes nothing but a small file that it writes and deletes. */
export async function diagnose({ env, machine = {} }: Options = {}): Promise<Diagnosis> {
  const unknownSettings: string[] = []
  let config: Config
  try {
    config = readConfig(env, (message) => unknownSettings.push(message))
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return summarise(refuseSettings(error.message, unknownSettings))
  }
  return summarise(await runChecks(checks, { config, machine: { ...thisMachine, ...machine }, unknownSettings }))
}

/** Walks from outside to the MCP server of the public address. It needs no other service and changes nothing. */
export async function diagnoseMcp(key: string | null, env?: Environment): Promise<Diagnosis> {
  try {
    return summarise(await walkMcp(readConfig(env, () => {}).publicUrl, key))
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return summarise([{ name: 'settings', ...fail(error.message, 'Correct them, and run "carillon doctor --mcp" again.') }])
  }
}

function refuseSettings(message: string, unknownSettings: readonly string[]): NamedFinding[] {
  const action = ['Correct them, and run "carillon doctor" again.', ...unknownSettings].join(' ')
  const [, ...others] = checks
  return [
    { name: 'settings', ...fail(message, action) },
    ...others.map(({ name }) => ({ name, ...skipped('Not checked, because it needs "settings".') })),
  ]
}

function summarise(findings: NamedFinding[]): Diagnosis {
  const worst = (['fail', 'warn'] as const).find((status) => findings.some((finding) => finding.status === status))
  return { status: worst ?? 'ok', checks: findings }
}
