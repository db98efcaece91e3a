import { planAccident } from './accidents/plan-accident.ts'
import { runAccidents } from './accidents/run-accidents.ts'
import { readOptions } from './options.ts'
import { makePlan } from './plan/plan.ts'
import { conclude } from './records/conclude.ts'
import { createRecorder } from './records/record-runs.ts'
import { formatPlan } from './records/report.ts'
import { runSeeds } from './run-seeds.ts'

const options = readOptions(process.argv.slice(2))
if (options.planOnly) {
  const parts = { workers: ['worker-1', 'worker-2'], engines: ['engine'] } as const
  for (const seed of options.seeds)
    console.log(options.hasAccidents ? `seed ${seed}: ${planAccident(seed).accident}` : formatPlan(makePlan(seed, parts)))
  process.exit()
}
const recorder = createRecorder(options)
process.on('exit', () => recorder.brokeOff('the run ended early'))
try {
  const batch = options.hasAccidents ? await runAccidents(options, recorder) : await runSeeds(options, recorder)
  process.exitCode = conclude(batch, recorder) ? 0 : 1
} catch (error) {
  recorder.brokeOff(error)
  console.error(error)
  process.exitCode = 1
}
process.exit()
