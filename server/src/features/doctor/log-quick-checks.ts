import type { Context } from '../../context.ts'
import { checks } from './checks.ts'
import { storage } from './checks/services.ts'
import { runChecks, thisMachine } from './run-checks.ts'

/**
 * Logs at start what is wrong with this machine and would otherwise show only when a person uploads a file or signs in. The service runs
 * all the same: most of it works, and a store that is away for a moment must not stop it.
 */
export async function logQuickChecks({ config, log }: Context): Promise<void> {
  const quick = [...checks.filter(({ isQuick }) => isQuick), storage]
  for (const { name, status, message, action } of await runChecks(quick, { config, machine: thisMachine, unknownSettings: [] })) {
    if (status === 'fail') log.error({ check: name, action }, message)
    if (status === 'warn') log.warn({ check: name, action }, message)
  }
}
