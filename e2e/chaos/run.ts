import { setTimeout as sleep } from 'node:timers/promises'
import { readOptions } from './options.ts'
import { recordFigures } from './record.ts'
import { evidenceOf, figuresOf, lineOf, type Figures } from './report.ts'
import { finishSeed, look, playSeed, type Finished } from './seed.ts'
import { isFinal } from './seen-post.ts'
import { verify } from './verify.ts'
import { verifyComments } from './verify-comments.ts'
import type { Violation } from './violation.ts'
import { startWorld, type World } from './world.ts'

/** How many seeds may be waiting for their last posts while another is being played. */
const setsMax = 12
const eventsWithinMs = 60_000
/** A comment whose run is gone is taken up again after 90 s. */
const commentsWithinMs = 120_000

const options = readOptions(process.argv.slice(2))
const mode = options.isCluster ? 'cluster' : 'single'
const world = await startWorld({
  isCluster: options.isCluster,
  sets: Math.min(setsMax, options.seeds.length),
  name: `chaos-${mode}`,
})
try {
  process.exitCode = (await runBatch(world)) ? 0 : 1
} finally {
  if (options.keeps) await world.leave()
  else await world.stop()
  if (options.keeps) console.log(`the stack stays up in ${world.info.dir}`)
}
process.exit()

async function runBatch(on: World): Promise<boolean> {
  const finishing: Promise<Finished>[] = []
  for (const [n, seed] of options.seeds.entries()) {
    // A seed has its accounts for itself until its last post is at rest.
    await finishing[n - on.sets.length]
    const accounts = on.sets[n % on.sets.length]
    if (!accounts) throw new Error('there are no accounts')
    const played = await playSeed(on, seed, accounts)
    const finish = finishSeed(on, played).then((finished) => {
      tell(on, finished, finished.violations)
      return finished
    })
    finish.catch(() => {})
    finishing.push(finish)
  }
  const all = await Promise.all(finishing)
  const missing = await awaitEvents(on, all)
  await awaitComments(on, all)
  const figures = await closeBatch(on, all, missing)
  return summarize(on, figures)
}

function tell(on: World, finished: Finished, violations: readonly Violation[]): Figures {
  const figures = figuresOf(finished, violations)
  console.log(lineOf(figures, finished.struck))
  if (violations.length > 0) console.log(evidenceOf(on, finished, violations))
  return figures
}

/** Looks once more when everything has come to rest: what appeared late counts as well. */
async function closeBatch(on: World, all: readonly Finished[], missing: ReadonlyMap<number, string[]>): Promise<Figures[]> {
  const closed: Figures[] = []
  for (const finished of all) {
    const findings = await look(on, finished, finished.strikes)
    const known = new Set(finished.violations.map(({ kind, text, detail }) => `${kind} ${text} ${detail}`))
    const late = [...verify(findings), ...verifyComments(findings)].filter(
      ({ kind, text, detail }) => !known.has(`${kind} ${text} ${detail}`),
    )
    if (late.length > 0) console.log(evidenceOf(on, { ...finished, findings }, late))
    const lacking = missing.get(finished.plan.seed) ?? []
    if (lacking.length > 0) console.log(`--- seed ${finished.plan.seed}: events missing: ${lacking.join(', ')}`)
    closed.push({ ...figuresOf(finished, [...finished.violations, ...late]), eventsMissing: lacking.length })
  }
  return closed
}

/** A delivery that failed comes again after ten seconds and more, so the events are awaited once, at the end. */
async function awaitEvents(on: World, all: readonly Finished[]): Promise<Map<number, string[]>> {
  if (!on.receiver.isSubscribed) return new Map()
  const lacking = () =>
    new Map(
      all.map(({ plan, findings }) => [
        plan.seed,
        findings.posts
          .filter((post) => isFinal(post) && !on.receiver.has(`upload.${post.status}`, post.requestId))
          .map(({ status, text }) => `upload.${status} of "${text}"`),
      ]),
    )
  const endMs = Date.now() + eventsWithinMs
  while (Date.now() < endMs && [...lacking().values()].some((list) => list.length > 0)) await sleep(500)
  return lacking()
}

/** Comments follow their posts, and one that a crash held up is repaired later. Who is missing after that is found by verifying. */
async function awaitComments(on: World, all: readonly Finished[]): Promise<void> {
  const endMs = Date.now() + commentsWithinMs
  for (const finished of all) {
    while (Date.now() < endMs && verifyComments(await look(on, finished, finished.strikes)).length > 0) await sleep(2000)
  }
}

async function summarize(on: World, figures: readonly Figures[]): Promise<boolean> {
  const sum = (pick: (each: Figures) => number) => figures.reduce((total, each) => total + pick(each), 0)
  const [lost, doubled, other] = [sum((each) => each.lost), sum((each) => each.doubled), sum((each) => each.other)]
  const { isSubscribed, badSignatures } = on.receiver
  const eventsMissing = sum((each) => each.eventsMissing ?? 0)
  const crashes = on.victims.history.filter(({ isCrash }) => isCrash)
  const isClean = lost + doubled + other + eventsMissing + badSignatures + crashes.length === 0
  for (const { part, atMs } of crashes) console.log(`${part} crashed by itself at ${new Date(atMs).toISOString()}; see its log`)
  if (!options.isReplay) console.log(`recorded in ${await recordFigures(mode, figures)}`)
  if (badSignatures > 0) console.log(`${badSignatures} deliveries had a wrong signature`)
  const events = isSubscribed ? `${eventsMissing} events missing` : 'events not checked (the server has no webhooks)'
  const more = `${other > 0 ? `, ${other} other violations` : ''}${crashes.length > 0 ? `, ${crashes.length} crashes` : ''}`
  console.log(
    `chaos: ${figures.length} seeds, ${sum((each) => each.channels)} channels, ${lost} lost, ${doubled} doubled, ${sum((each) => each.unconfirmed)} unconfirmed, ${events}${more}`,
  )
  const broken = figures.filter((each) => each.lost + each.doubled + each.other + (each.eventsMissing ?? 0) > 0).length
  const failed = isClean ? 0 : Math.max(1, broken)
  console.log(`${figures.length - broken} passed, ${failed} failed`)
  return isClean
}
