import { setTimeout as sleep } from 'node:timers/promises'
import type { Findings } from './judge/findings.ts'
import { judgeChannels } from './judge/judge-channels.ts'
import { judgeComments } from './judge/judge-comments.ts'
import { judgeConnectionEvents, judgeEvents } from './judge/judge-events.ts'
import type { Violation } from './judge/violation.ts'
import { readOptions } from './options.ts'
import { kindsOf, makePlan } from './plan/plan.ts'
import { figuresOf, isClean, type Figures } from './records/figures.ts'
import { readCodeVersion, recordRuns, versionOfRun } from './records/record-runs.ts'
import { formatEvidence, formatLine, formatPlan } from './records/report.ts'
import { finishSeed, readFindings, runSeed, withoutRepeats, type FinishedSeed } from './run-seed.ts'
import { startChaosStack, type ChaosStack } from './stack/start-chaos-stack.ts'

/** How many seeds may still be waiting for their last posts while the next one runs. */
const unfinishedMax = 12
/** A delivery that failed four times in a row is tried again 150 s after the first. */
const eventsWithinMs = 180_000
/** A comment whose run was lost is repaired after 90 s, and one that the platform could not take is tried again after up to three minutes. */
const commentsWithinMs = 300_000

const options = readOptions(process.argv.slice(2))
if (options.planOnly) {
  const parts = { workers: ['worker-1', 'worker-2'], engines: ['engine'] } as const
  for (const seed of options.seeds) console.log(formatPlan(makePlan(seed, parts)))
  process.exit()
}
const versionBefore = readCodeVersion()
const chaosStack = await startChaosStack({ mode: options.mode, seeds: options.seeds, name: `chaos-${options.mode}` })
// The parts are processes of their own, which would outlive an interrupted run.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void chaosStack.stop().finally(() => process.exit(1)))
try {
  process.exitCode = (await runBatch(chaosStack)) ? 0 : 1
} finally {
  if (options.keepsStack) await chaosStack.detach()
  else await chaosStack.stop()
  if (options.keepsStack) console.log(`the stack stays up in ${chaosStack.info.dir}`)
}
process.exit()

async function runBatch(stack: ChaosStack): Promise<boolean> {
  const finishing: Promise<FinishedSeed>[] = []
  for (const [n, seed] of options.seeds.entries()) {
    await finishing[n - unfinishedMax]
    const accounts = stack.accountSets[n]
    if (!accounts) throw new Error('there are no accounts')
    const plan = makePlan(seed, stack.parts)
    console.log(formatPlan(plan))
    const run = await runSeed(stack, plan, accounts)
    const finish = finishSeed(stack, run).then((finished) => {
      console.log(formatLine(figuresOf(finished, finished.violations)))
      if (finished.violations.length > 0) console.log(formatEvidence(stack, finished, finished.violations))
      return finished
    })
    finish.catch(() => {})
    finishing.push(finish)
  }
  const all = await Promise.all(finishing)
  await waitUntilJudged(stack, all, eventsWithinMs, judgeAllEvents)
  await waitUntilJudged(stack, all, commentsWithinMs, (_stack, _finished, findings) => judgeComments(findings))
  return summarize(stack, all, await judgeAtEnd(stack, all))
}

type Judge = (stack: ChaosStack, finished: FinishedSeed, findings: Findings) => Violation[]

/** Events and comments come after their posts, and failed ones are repeated later, so they are waited for once, at the end. */
async function waitUntilJudged(stack: ChaosStack, all: readonly FinishedSeed[], withinMs: number, judge: Judge): Promise<void> {
  const endMs = Date.now() + withinMs
  for (const finished of all) {
    const isJudged = async () => judge(stack, finished, await readFindings(stack, finished, finished.faultCounts)).length === 0
    while (Date.now() < endMs && !(await isJudged())) await sleep(2000)
  }
}

function judgeAllEvents({ receiver }: ChaosStack, { connectionFacts }: FinishedSeed, findings: Findings): Violation[] {
  const { events } = receiver
  return [...judgeEvents(findings, events), ...judgeConnectionEvents(connectionFacts, events)]
}

/** Judges everything once more at the end of the batch, because a post may also be published later than anybody expects. */
async function judgeAtEnd(stack: ChaosStack, all: readonly FinishedSeed[]): Promise<Violation[][]> {
  const judged: Violation[][] = []
  for (const finished of all) {
    const findings = await readFindings(stack, finished, finished.faultCounts)
    const now = [...judgeChannels(findings), ...judgeComments(findings), ...judgeAllEvents(stack, finished, findings)]
    const violations = withoutRepeats([...finished.violations, ...now])
    const late = violations.slice(withoutRepeats(finished.violations).length)
    if (late.length > 0) console.log(formatEvidence(stack, { ...finished, findings }, late))
    judged.push(violations)
  }
  return judged
}

async function summarize(stack: ChaosStack, all: readonly FinishedSeed[], violations: readonly Violation[][]): Promise<boolean> {
  const figures = all.map((finished, n) => figuresOf(finished, violations[n] ?? []))
  const sum = (pick: (each: Figures) => number) => figures.reduce((total, each) => total + pick(each), 0)
  const { badSignatures, repeated } = stack.receiver
  const { crashes } = stack.supervisor
  for (const { part, atMs } of crashes) console.log(`${part} ended by itself at ${new Date(atMs).toISOString()}; see its log`)
  for (const { seed, skipped } of all) for (const each of skipped) console.log(`seed ${seed} skipped ${each}`)
  const version = versionOfRun(versionBefore, readCodeVersion())
  const file = await recordRuns(
    all.map((finished, n) => ({
      at: new Date(finished.beganMs).toISOString(),
      mode: options.mode,
      ...version,
      kinds: kindsOf(finished.plan),
      skipped: finished.skipped,
      crashes: crashes.length,
      ...figuresOf(finished, violations[n] ?? []),
      violations: violations[n] ?? [],
    })),
  )
  console.log(`recorded in ${file}${version.isClean ? '' : ', as a run with uncommitted changes'}`)
  console.log(
    `chaos: ${figures.length} seeds, ${sum((each) => each.channels)} channels, ${sum((each) => each.calls)} calls, ${sum((each) => each.lost)} lost, ${sum((each) => each.doubled)} doubled, ${sum((each) => each.false)} false, ${sum((each) => each.unconfirmed)} unconfirmed, ${sum((each) => each.events)} wrong events, ${sum((each) => each.other)} others, ${repeated} repeated deliveries, ${badSignatures} wrong signatures, ${crashes.length} crashes`,
  )
  const broken = figures.filter((each) => !isClean(each)).length
  const isGood = broken + badSignatures + crashes.length === 0
  console.log(`${figures.length - broken} passed, ${isGood ? 0 : Math.max(1, broken)} failed`)
  return isGood
}
