import { setTimeout as sleep } from 'node:timers/promises'
import { readOptions } from './options.ts'
import { recordFigures } from './record-figures.ts'
import { figuresOf, formatEvidence, formatLine, type Figures } from './report.ts'
import { finishSeed, readFindings, runSeed, type FinishedSeed } from './run-seed.ts'
import { isFinal } from './api-post.ts'
import { verify } from './verify.ts'
import { verifyComments } from './verify-comments.ts'
import type { Violation } from './violation.ts'
import { startChaosStack, type ChaosStack } from './chaos-stack.ts'

/** How many seeds may still be waiting for their last posts while the next one runs. */
const setsMax = 12
const eventsWithinMs = 60_000
/** The service repairs a comment whose engine run was lost after 90 s. */
const commentsWithinMs = 300_000

const options = readOptions(process.argv.slice(2))
const mode = options.isCluster ? 'cluster' : 'single'
const chaosStack = await startChaosStack({
  isCluster: options.isCluster,
  sets: Math.min(setsMax, options.seeds.length),
  name: `chaos-${mode}`,
})
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
    // An account set is used again only when no post of its last seed changes any more.
    await finishing[n - stack.accountSets.length]
    const accounts = stack.accountSets[n % stack.accountSets.length]
    if (!accounts) throw new Error('there are no accounts')
    const run = await runSeed(stack, seed, accounts)
    const finish = finishSeed(stack, run).then((finished) => {
      printSeed(stack, finished, finished.violations)
      return finished
    })
    finish.catch(() => {})
    finishing.push(finish)
  }
  const all = await Promise.all(finishing)
  const missing = await awaitEvents(stack, all)
  await awaitComments(stack, all)
  const figures = await closeBatch(stack, all, missing)
  return summarize(stack, figures)
}

function printSeed(stack: ChaosStack, finished: FinishedSeed, violations: readonly Violation[]): Figures {
  const figures = figuresOf(finished, violations)
  console.log(formatLine(figures, finished.outages))
  if (violations.length > 0) console.log(formatEvidence(stack, finished, violations))
  return figures
}

/** Verifies once more at the end of the batch, because a post may also be published late. */
async function closeBatch(
  stack: ChaosStack,
  all: readonly FinishedSeed[],
  missing: ReadonlyMap<number, string[]>,
): Promise<Figures[]> {
  const closed: Figures[] = []
  for (const finished of all) {
    const findings = await readFindings(stack, finished, finished.faultCounts)
    const known = new Set(finished.violations.map(({ kind, text, detail }) => `${kind} ${text} ${detail}`))
    const late = [...verify(findings), ...verifyComments(findings)].filter(
      ({ kind, text, detail }) => !known.has(`${kind} ${text} ${detail}`),
    )
    if (late.length > 0) console.log(formatEvidence(stack, { ...finished, findings }, late))
    const missingEvents = missing.get(finished.plan.seed) ?? []
    if (missingEvents.length > 0) console.log(`--- seed ${finished.plan.seed}: events missing: ${missingEvents.join(', ')}`)
    closed.push({ ...figuresOf(finished, [...finished.violations, ...late]), eventsMissing: missingEvents.length })
  }
  return closed
}

/** A failed delivery is retried after ten seconds or more, so the run waits for events once, at the end. */
async function awaitEvents(stack: ChaosStack, all: readonly FinishedSeed[]): Promise<Map<number, string[]>> {
  const missingEvents = () =>
    new Map(
      all.map(({ plan, findings }) => [
        plan.seed,
        findings.posts
          .filter((post) => isFinal(post) && !stack.receiver.has(`upload.${post.status}`, post.requestId))
          .map(({ status, text }) => `upload.${status} of "${text}"`),
      ]),
    )
  const endMs = Date.now() + eventsWithinMs
  while (Date.now() < endMs && [...missingEvents().values()].some((list) => list.length > 0)) await sleep(500)
  return missingEvents()
}

/** Comments are sent after their posts, and one that a crash interrupted is repaired later. `verifyComments` then reports missing ones. */
async function awaitComments(stack: ChaosStack, all: readonly FinishedSeed[]): Promise<void> {
  const endMs = Date.now() + commentsWithinMs
  for (const finished of all) {
    while (Date.now() < endMs && verifyComments(await readFindings(stack, finished, finished.faultCounts)).length > 0)
      await sleep(2000)
  }
}

async function summarize(stack: ChaosStack, figures: readonly Figures[]): Promise<boolean> {
  const sum = (pick: (each: Figures) => number) => figures.reduce((total, each) => total + pick(each), 0)
  const [lost, doubled, other] = [sum((each) => each.lost), sum((each) => each.doubled), sum((each) => each.other)]
  const { badSignatures } = stack.receiver
  const eventsMissing = sum((each) => each.eventsMissing ?? 0)
  const crashes = stack.supervisor.history.filter(({ isCrash }) => isCrash)
  const isClean = lost + doubled + other + eventsMissing + badSignatures + crashes.length === 0
  for (const { part, atMs } of crashes)
    console.log(`${part} crashed without being killed at ${new Date(atMs).toISOString()}; see its log`)
  if (!options.isReplay) console.log(`recorded in ${await recordFigures(mode, figures)}`)
  if (badSignatures > 0) console.log(`${badSignatures} deliveries had a wrong signature`)
  const more = `${other > 0 ? `, ${other} other violations` : ''}${crashes.length > 0 ? `, ${crashes.length} crashes` : ''}`
  console.log(
    `chaos: ${figures.length} seeds, ${sum((each) => each.channels)} channels, ${lost} lost, ${doubled} doubled, ${sum((each) => each.unconfirmed)} unconfirmed, ${eventsMissing} events missing${more}`,
  )
  const broken = figures.filter((each) => each.lost + each.doubled + each.other + (each.eventsMissing ?? 0) > 0).length
  const failed = isClean ? 0 : Math.max(1, broken)
  console.log(`${figures.length - broken} passed, ${failed} failed`)
  return isClean
}
