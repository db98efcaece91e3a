import { exitWithHelp } from '@carillon/stack/services'
import { describeMachine } from './describe-machine.ts'
import { readOptions, type Options } from './options.ts'
import { loosen, storeRun, type Goal, type Outcome } from './results.ts'
import { logProgress } from './log-progress.ts'
import { alternatives } from './scenarios/alternatives.ts'
import { burst } from './scenarios/burst.ts'
import { create } from './scenarios/create.ts'
import { fair } from './scenarios/fair.ts'
import { figures } from './scenarios/figures.ts'
import { idle } from './scenarios/idle.ts'
import { outage } from './scenarios/outage.ts'
import { overdue } from './scenarios/overdue.ts'
import { pending } from './scenarios/pending.ts'
import { reads } from './scenarios/reads.ts'
import { scale } from './scenarios/scale.ts'
import { soak } from './scenarios/soak.ts'
import { steady } from './scenarios/steady.ts'
import { watching } from './scenarios/watching.ts'
import { shareBenchStack, stopSharedStack } from './setup/bench-stack.ts'

type Scenario = (options: Options) => Promise<Outcome>

// `reads` stops the worker and those after it need other processes, so they come last: short runs share one stack.
const scenarios: Record<string, Scenario> = {
  create,
  burst,
  steady,
  fair,
  outage,
  pending,
  figures,
  reads,
  idle,
  overdue,
  soak,
  scale,
  watching,
  alternatives,
}

/** The sizes of `--short`, for CI: they show that every scenario works, and their figures mean nothing. */
const shortForms: Record<string, Partial<Options>> = {
  create: { rounds: 1, seconds: 1 },
  burst: { channels: 400, rounds: 1, leadSeconds: 4 },
  fair: { channels: 400, rounds: 1, leadSeconds: 4, workspaces: 3, files: 3 },
  outage: { posts: 120, outageSeconds: 6 },
  steady: { seconds: 4, accounts: 20 },
  overdue: { channels: 2000, posts: 1 },
  pending: { posts: 5000, rounds: 2 },
  figures: { channels: 100 },
  reads: { posts: 1000, rounds: 1 },
  idle: { seconds: 2, rounds: 1 },
  soak: { minutes: 0.5, warmUpMinutes: 0.2, workspaces: 2, accounts: 2 },
  scale: { channels: 200, rounds: 1, seconds: 1, leadSeconds: 4 },
  watching: { channels: 200, rounds: 1, seconds: 1, leadSeconds: 4 },
  alternatives: { channels: 200, rounds: 1, seconds: 2, leadSeconds: 4, accounts: 50 },
}

const usage = `pnpm bench [--short] <all | ${Object.keys(scenarios).join(' | ')}>
            [--rounds N] [--seconds S] [--channels N] [--lead S] [--accounts N] [--posts N] [--workspaces N] [--files N] [--outage S]
            [--minutes N] [--warm-up N] [--rate N] [--share N] [--profile] [--explain] [--no-slow]`

exitWithHelp(usage)

type Tally = { passed: number; failed: number }

function printGoals(goals: readonly Goal[]): void {
  for (const { name, value, goal, ok } of goals) console.log(`${ok ? '✔' : '✘'} ${name}: ${value} (goal ${goal})`)
}

/** Stores the run and compares it with its goals. The figure is the last line of the output. */
async function runFull(name: string, scenario: Scenario, options: Options): Promise<Tally> {
  const machine = describeMachine()
  const outcome = await scenario(options)
  const { file, history } = await storeRun({ scenario: name, machine, outcome })
  printGoals(outcome.goals)
  console.log(`figures: ${history}; raw data: ${file}`)
  console.log(outcome.figure)
  return tally(outcome.goals)
}

/** Stores nothing: the history would fill up with figures that mean nothing. */
async function runShort(name: string, scenario: Scenario, options: Options): Promise<Tally> {
  const begin = performance.now()
  try {
    const outcome = await scenario({ ...shortForms[name], ...options, slowRound: false })
    const goals = outcome.goals.map(loosen)
    console.log(`${outcome.figure} [${Math.round((performance.now() - begin) / 1000)} s]`)
    printGoals(goals)
    return tally(goals)
  } catch (error) {
    console.log(`✘ ${name} did not run to its end: ${String(error)}`)
    return { passed: 0, failed: 1 }
  }
}

function tally(goals: readonly Goal[]): Tally {
  const passed = goals.filter(({ ok }) => ok).length
  return { passed, failed: goals.length - passed }
}

const { names, options } = readOptions(process.argv.slice(2))
/** These start several stacks or other processes of their own and take minutes also in their short form. `all` leaves them out. */
const long = new Set(['overdue', 'soak', 'scale', 'watching', 'alternatives'])
const wanted = names.includes('all') ? Object.keys(scenarios).filter((name) => !long.has(name)) : names
const chosen = wanted.flatMap((name) => {
  const scenario = scenarios[name]
  return scenario ? [{ name, scenario }] : []
})
if (chosen.length === 0 || chosen.length < wanted.length) {
  logProgress(usage)
  process.exitCode = 2
} else {
  const total = { passed: 0, failed: 0 }
  if (options.short) shareBenchStack()
  for (const { name, scenario } of chosen) {
    const { passed, failed } = await (options.short ? runShort : runFull)(name, scenario, options)
    total.passed += passed
    total.failed += failed
  }
  await stopSharedStack()
  if (options.short) console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 ? 0 : 1
}
