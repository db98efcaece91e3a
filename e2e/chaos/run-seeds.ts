import { setTimeout as sleep } from 'node:timers/promises'
import type { Findings } from './judge/findings.ts'
import { judgeChannels } from './judge/judge-channels.ts'
import { judgeComments } from './judge/judge-comments.ts'
import { judgeCrowd } from './judge/judge-crowd.ts'
import { judgeConnectionEvents, judgeEvents } from './judge/judge-events.ts'
import type { Violation } from './judge/violation.ts'
import type { Options } from './options.ts'
import { kindsOf, makePlan } from './plan/plan.ts'
import { totalsOf, type Batch } from './records/conclude.ts'
import { figuresOf } from './records/figures.ts'
import type { Recorder } from './records/record-runs.ts'
import { formatEvidence, formatLine, formatPlan } from './records/report.ts'
import { finishSeed, readFindings, runGroup, withoutRepeats, type FinishedSeed } from './run-seed.ts'
import { startChaosStack, type ChaosStack } from './stack/start-chaos-stack.ts'
import { withStack } from './stack/with-stack.ts'

/** How many seeds may still be waiting for their last posts while the next ones run. With all platforms each waits for many minutes. */
const unfinishedMax = { usual: 16, all: 40 }
/** One group in so many waits until its punctual posts can be judged. The last one always does. */
const patientEvery = 5
/** A delivery that failed four times in a row is tried again 150 s after the first. */
export const eventsWithinMs = 180_000
/** A comment whose run was lost is repaired after 90 s, and one that the platform could not take is tried again after up to three minutes. */
const commentsWithinMs = 300_000
/** A post whose answer a server kept is asked about for some minutes. */
const crowdWithinMs = 600_000

/** Runs all seeds on one stack, a few at the same time. While the last posts of a group are being sent, the next one runs. */
export function runSeeds({ mode, seeds, together, keepsStack, reach }: Options, recorder: Recorder): Promise<Batch> {
  const start = () => startChaosStack({ mode, seeds, reach, name: `chaos-${mode}`, hasSmallDisk: !keepsStack })
  return withStack(start, { keepsStack }, async (stack) => {
    const finishing: Promise<FinishedSeed>[] = []
    for (let at = 0; at < seeds.length; at += together) {
      await Promise.all(finishing.slice(0, Math.max(0, at + together - unfinishedMax[reach])))
      const group = seeds.slice(at, at + together).map((seed, n) => {
        const accounts = stack.accountSets[at + n]
        if (!accounts) throw new Error('there are no accounts')
        return { plan: makePlan(seed, stack.parts, reach), accounts }
      })
      for (const { plan } of group) {
        console.log(formatPlan(plan))
        recorder.began({ seed: plan.seed, kinds: kindsOf(plan) })
      }
      const groupsUntilNow = at / together + 1
      const isPatient = at + together >= seeds.length || groupsUntilNow % patientEvery === 0
      for (const run of await runGroup(stack, group, { isPatient })) {
        const finish = finishSeed(stack, run).then((finished) => {
          reportSeed(stack, finished, recorder)
          return finished
        })
        finish.catch(() => {})
        finishing.push(finish)
      }
    }
    const all = await Promise.all(finishing)
    await waitUntilJudged(stack, all, eventsWithinMs, judgeAllEvents)
    await waitUntilJudged(stack, all, commentsWithinMs, (_stack, _finished, findings) => judgeComments(findings))
    await waitUntilJudged(stack, all, crowdWithinMs, (own, { seed }) => judgeCrowd(own, seed))
    const judged = await judgeAtEnd(stack, all)
    const results = all.map((finished, n) => ({ finished, violations: judged[n] ?? [] }))
    return { seeds: results, ...totalsOf(stack) }
  })
}

/** Records and prints a seed as soon as its posts are at rest. */
export function reportSeed(stack: ChaosStack, finished: FinishedSeed, recorder: Recorder): void {
  const { skipped, violations } = finished
  const figures = figuresOf(finished, violations)
  recorder.ended('posts', { figures, skipped, crashes: stack.supervisor.crashes.length, violations })
  console.log(formatLine(figures))
  if (violations.length > 0) console.log(formatEvidence(stack, finished, violations))
}

type Judge = (stack: ChaosStack, finished: FinishedSeed, findings: Findings) => Violation[] | Promise<Violation[]>

/** Events and comments come after their posts, and failed ones are repeated later, so they are waited for once, at the end. */
export async function waitUntilJudged(
  stack: ChaosStack,
  all: readonly FinishedSeed[],
  withinMs: number,
  judge: Judge,
): Promise<void> {
  const endMs = Date.now() + withinMs
  for (const finished of all) {
    const isJudged = async () => {
      const findings = await readFindings(stack, finished, finished.faultCounts)
      return (await judge(stack, finished, findings)).length === 0
    }
    while (Date.now() < endMs && !(await isJudged())) await sleep(2000)
  }
}

function judgeAllEvents({ receiver }: ChaosStack, { connectionFacts }: FinishedSeed, findings: Findings): Violation[] {
  const { events } = receiver
  return [...judgeEvents(findings, events), ...judgeConnectionEvents(connectionFacts, events)]
}

/** Judges everything once more at the end of the batch, because a post may also be published after its seed was judged. */
async function judgeAtEnd(stack: ChaosStack, all: readonly FinishedSeed[]): Promise<Violation[][]> {
  const judged: Violation[][] = []
  for (const finished of all) {
    const findings = await readFindings(stack, finished, finished.faultCounts)
    const now = [
      ...judgeChannels(findings),
      ...judgeComments(findings),
      ...judgeAllEvents(stack, finished, findings),
      ...(await judgeCrowd(stack, finished.seed)),
    ]
    const violations = withoutRepeats([...finished.violations, ...now])
    const late = violations.slice(withoutRepeats(finished.violations).length)
    if (late.length > 0) console.log(formatEvidence(stack, { ...finished, findings }, late))
    judged.push(violations)
  }
  return judged
}
