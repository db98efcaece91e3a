import { readOptions, type Options } from './options.ts'
import { writeResult, type Outcome } from './results.ts'
import { logProgress } from './log-progress.ts'
import { burst } from './scenarios/burst.ts'
import { create } from './scenarios/create.ts'
import { idle } from './scenarios/idle.ts'
import { pending } from './scenarios/pending.ts'
import { reads } from './scenarios/reads.ts'
import { steady } from './scenarios/steady.ts'

type Scenario = (options: Options) => Promise<Outcome>

const scenarios: Record<string, Scenario> = { create, burst, steady, pending, reads, idle }

/** For CI, whose machines are shared and small: the figures are printed and not compared with the goals. */
const shortForms: Record<string, Partial<Options>> = {
  create: { rounds: 2, seconds: 2 },
  burst: { channels: 2000, rounds: 1, leadSeconds: 12, slowRound: false },
  steady: { seconds: 15 },
  reads: { posts: 20_000, rounds: 8 },
}

const usage = `pnpm bench <${Object.keys(scenarios).join(' | ')}> [--rounds N] [--seconds S] [--channels N] [--lead S] [--accounts N] [--posts N]
            [--profile] [--explain] [--no-slow]
pnpm bench --short`

/** Returns whether all goals were met. The figure is the last line of the output. */
async function run(name: string, scenario: Scenario, options: Options): Promise<boolean> {
  const outcome = await scenario(options)
  const file = await writeResult(name, outcome)
  for (const { name: what, value, goal, ok } of outcome.goals) console.log(`${ok ? '✔' : '✘'} ${what}: ${value} (goal ${goal})`)
  console.log(`figures and raw data: ${file}`)
  console.log(outcome.figure)
  return outcome.goals.every(({ ok }) => ok)
}

const { names, short, options } = readOptions(process.argv.slice(2))
const scenario = scenarios[names[0] ?? '']
if (short) {
  for (const [name, form] of Object.entries(shortForms)) {
    const one = scenarios[name]
    if (one) await run(`${name}-short`, one, { ...options, ...form })
  }
} else if (scenario) {
  process.exitCode = (await run(names[0] ?? '', scenario, options)) ? 0 : 1
} else {
  logProgress(usage)
  process.exitCode = 2
}
