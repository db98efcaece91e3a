import type { AccountSet } from './accounts.ts'
import type { PlannedFault } from './plan-faults.ts'
import type { SimulatorControl } from './simulator-control.ts'

/** How often the platform troubled an account of a seed, by what kind of trouble. */
export type Strikes = { total: number; of(handle: string, platform: string, role: PlannedFault['role']): number }

/** Lets a seed's faults loose on its accounts; the function it gives takes them back and tells what they did. */
export async function raiseFaults(
  simulator: SimulatorControl,
  accounts: AccountSet,
  planned: readonly PlannedFault[],
): Promise<() => Promise<Strikes>> {
  const raised: { id: string; planned: PlannedFault; handle: string }[] = []
  for (const each of planned) {
    const { platform, operation, seed, probability, faults } = each
    const { handle } = accounts.of(each)
    const id = await simulator.addFault({ platform, handle, operation, fault: { kind: 'random', seed, probability, faults } })
    raised.push({ id, planned: each, handle })
  }
  return async () => {
    const rules = new Map((await simulator.faults()).map((rule) => [rule.id, rule.hits]))
    for (const { id } of raised) await simulator.removeFault(id)
    const struck = raised.map((each) => ({ ...each, hits: rules.get(each.id) ?? 0 }))
    const sum = (list: typeof struck) => list.reduce((total, { hits }) => total + hits, 0)
    return {
      total: sum(struck),
      of: (handle, platform, role) =>
        sum(struck.filter((each) => each.handle === handle && each.planned.platform === platform && each.planned.role === role)),
    }
  }
}
