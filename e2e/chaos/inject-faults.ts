import type { AccountSet } from './account-sets.ts'
import type { PlannedFault } from './plan-faults.ts'
import type { SimulatorControl } from './simulator-control.ts'

/** How often faults were applied to the accounts of a seed, by the role of the fault. */
export type FaultCounts = { total: number; of(handle: string, platform: string, role: PlannedFault['role']): number }

/** Adds a seed's faults to the simulator. The returned function removes them and counts how often each was applied. */
export async function injectFaults(
  simulator: SimulatorControl,
  accounts: AccountSet,
  planned: readonly PlannedFault[],
): Promise<() => Promise<FaultCounts>> {
  const added: { id: string; planned: PlannedFault; handle: string }[] = []
  for (const each of planned) {
    const { platform, operation, seed, probability, faults } = each
    const { handle } = accounts.of(each)
    const id = await simulator.addFault({ platform, handle, operation, fault: { kind: 'random', seed, probability, faults } })
    added.push({ id, planned: each, handle })
  }
  return async () => {
    const rules = new Map((await simulator.faults()).map((rule) => [rule.id, rule.hits]))
    for (const { id } of added) await simulator.removeFault(id)
    const counted = added.map((each) => ({ ...each, hits: rules.get(each.id) ?? 0 }))
    const sum = (list: typeof counted) => list.reduce((total, { hits }) => total + hits, 0)
    return {
      total: sum(counted),
      of: (handle, platform, role) =>
        sum(counted.filter((each) => each.handle === handle && each.planned.platform === platform && each.planned.role === role)),
    }
  }
}
