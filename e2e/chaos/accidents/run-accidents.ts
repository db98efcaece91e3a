import type { Options } from '../options.ts'
import { kindsOf } from '../plan/plan.ts'
import { totalsOf, type Batch } from '../records/conclude.ts'
import type { Recorder } from '../records/record-runs.ts'
import { reportSeed } from '../run-seeds.ts'
import { startChaosStack } from '../stack/start-chaos-stack.ts'
import { withStack } from '../stack/with-stack.ts'
import { planAccident } from './plan-accident.ts'
import { runAccidentSeed } from './run-accident-seed.ts'

/** Runs each seed on a stack of its own: an accident leaves a database behind that no other seed should begin with. */
export async function runAccidents({ seeds, keepsStack }: Options, recorder: Recorder): Promise<Batch> {
  const batch: Batch = { seeds: [], crashes: [], repeated: 0, badSignatures: 0 }
  for (const seed of seeds) {
    const plan = planAccident(seed)
    const { accident } = plan
    console.log(`seed ${seed}: ${accident}`)
    recorder.began({ seed, kinds: [accident, ...kindsOf(plan)] })
    const hasStandby = accident === 'standby failover'
    const hasMovedClock = accident === 'an hour asleep'
    const start = () => startChaosStack({ mode: 'two', seeds: [seed], name: 'chaos-accident', hasStandby, hasMovedClock })
    const { finished, totals } = await withStack(start, { keepsStack }, async (stack) => {
      const result = await runAccidentSeed(stack, plan)
      reportSeed(stack, result, recorder)
      return { finished: result, totals: totalsOf(stack) }
    })
    batch.seeds.push({ finished, violations: finished.violations })
    batch.crashes.push(...totals.crashes)
    batch.repeated += totals.repeated
    batch.badSignatures += totals.badSignatures
  }
  return batch
}
