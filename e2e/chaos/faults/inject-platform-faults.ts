import type { PlannedFault } from '../plan/plan-platform-faults.ts'
import { isSameAccount, type Slot } from '../plan/slot.ts'
import type { AccountSet } from '../stack/open-account-sets.ts'
import type { SimulatorControl } from '../stack/simulator-control.ts'

/** How often the planned faults of a seed were applied. */
export type FaultCounts = { total: number; of(slot: Slot, operation: PlannedFault['operation']): number }

/** Adds a seed's faults to the simulator. The returned function removes them and counts how often each was applied. */
export async function injectPlatformFaults(
  simulator: SimulatorControl,
  accounts: AccountSet,
  planned: readonly PlannedFault[],
): Promise<() => Promise<FaultCounts>> {
  const added: { id: string; planned: PlannedFault }[] = []
  for (const each of planned) {
    const { handle, platform } = accounts.of(each)
    const id = await simulator.addFault({ platform, handle, operation: each.operation, fault: each.fault })
    added.push({ id, planned: each })
  }
  return async () => {
    const rules = new Map((await simulator.faults()).map((rule) => [rule.id, rule.hits]))
    for (const { id } of added) await simulator.removeFault(id)
    const counted = added.map((each) => ({ ...each, hits: rules.get(each.id) ?? 0 }))
    const sum = (list: typeof counted) => list.reduce((total, { hits }) => total + hits, 0)
    return {
      total: sum(counted),
      of: (slot, operation) =>
        sum(counted.filter((each) => isSameAccount(each.planned, slot) && each.planned.operation === operation)),
    }
  }
}
