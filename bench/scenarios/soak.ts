import { setTimeout as sleep } from 'node:timers/promises'
import { endEarlyOnSignal } from '../cleanup.ts'
import { describeMachine } from '../describe-machine.ts'
import { logProgress } from '../log-progress.ts'
import type { Options } from '../options.ts'
import type { Outcome } from '../results.ts'
import { startBenchStack, type BenchStack } from '../setup/bench-stack.ts'
import { waitEvents } from '../setup/wait-events.ts'
import { waitSettled } from '../setup/wait-settled.ts'
import { addPlatformFaults } from '../soak/add-platform-faults.ts'
import { ageIdempotencyRows } from '../soak/age-idempotency-rows.ts'
import { checkSends } from '../soak/check-sends.ts'
import { createLedger } from '../soak/create-ledger.ts'
import { createSampler } from '../soak/create-sampler.ts'
import { createSoakClient } from '../soak/create-soak-client.ts'
import { driveLoad } from '../soak/drive-load.ts'
import { judgeFlatness } from '../soak/judge-flatness.ts'
import { judgeSoak } from '../soak/judge-soak.ts'
import { panelsOf } from '../soak/panels-of.ts'
import type { Sample } from '../soak/series.ts'
import { setUpWorkspaces } from '../soak/set-up-workspaces.ts'
import { startReceiver } from '../soak/start-receiver.ts'
import { watchAlerts } from '../soak/watch-alerts.ts'
import { writeReport } from '../soak/write-report.ts'

const sampleEveryMs = 30_000
const reportEveryMs = 300_000
const drainWithinMs = 300_000
/** A report before the end leaves out the posts that were due in the last minutes: they may still be under way. */
const openForMs = 180_000

/** The engine keeps answered runs for an hour by default, which is longer than the warm-up. It reads settings from the environment too. */
const engineSettings = { RESTATE_DEFAULT_IDEMPOTENCY_RETENTION: '5m', RESTATE_DEFAULT_JOURNAL_RETENTION: '5m' }

/** Mixed load at a constant rate for two hours: memory, disk, tables and the engine's journal must stay as they are after the warm-up. */
export async function soak({
  minutes = 120,
  warmUpMinutes = 20,
  perSecond = 1,
  workspaces = 5,
  accounts = 12,
  short,
}: Options): Promise<Outcome> {
  const machine = describeMachine()
  Object.assign(process.env, engineSettings)
  await using bench = await startBenchStack({
    name: 'soak',
    roles: ['api', 'worker'],
    env: { CARILLON_REQUESTS_PER_MINUTE: '6000' },
  })
  const stop = new AbortController()
  endEarlyOnSignal(() => {
    logProgress('ending early: waiting for the posts that are under way')
    stop.abort()
  })
  const { stack, db, simulator } = bench
  const receiver = await startReceiver(stack.info)
  const made = await setUpWorkspaces(bench, { workspaces, accountsPerPlatform: accounts })
  await addPlatformFaults(simulator)
  const alerts = await watchAlerts(bench)
  const client = createSoakClient(stack.info.baseUrl)
  const ledger = createLedger()
  const samples: Sample[] = []
  const sampleErrors: string[] = []
  const settings = {
    minutes,
    warmUpMinutes,
    perSecond,
    workspaces,
    accountsPerPlatform: accounts,
    fsync: true,
    faults: '5 % of the calls to every platform and of the webhook deliveries go wrong (bench/soak/platform-faults.data.ts)',
    retention:
      'the engine keeps answered runs and journals for 5 minutes (settings of the engine); answers kept for repeated requests are made a ' +
      'day older when they are 5 minutes old, so that the sweep deletes them; live events (10 minutes) and deliveries (100 for each ' +
      'webhook) have their usual retention',
  }

  const startMs = Date.now()
  const sampler = createSampler(bench)
  const report = async (isComplete: boolean): Promise<Outcome> => {
    const spanMinutes = (Date.now() - startMs) / 60_000
    const sends = await checkSends(bench, {
      ledger,
      receiver,
      workspaces: made,
      untilMs: isComplete ? Infinity : Date.now() - openForMs,
    })
    const firings = await alerts.read(startMs).catch(() => null)
    const verdicts = judgeFlatness(samples, warmUpMinutes)
    const outcome = judgeSoak({
      isComplete,
      isShort: short,
      minutes: spanMinutes,
      settings,
      samples,
      verdicts,
      sends,
      firings,
      client,
      sampleErrors,
      warmUpMinutes,
    })
    if (short) return outcome
    const panels = panelsOf(samples, sends.lateness, startMs)
    const plotted = {
      startMs,
      minutes: spanMinutes,
      warmUpMinutes,
      isComplete,
      machine,
      outcome,
      samples,
      panels,
      firings: firings ?? [],
    }
    return { ...outcome, file: await writeReport(plotted) }
  }

  const endTimer = setTimeout(() => stop.abort(), minutes * 60_000)
  const load = driveLoad({ client, ledger, workspaces: made, postsPerSecond: perSecond, stop: stop.signal })
  await watch({
    bench,
    startMs,
    stop: stop.signal,
    sampler,
    samples,
    sampleErrors,
    report,
    everyMs: short ? 3000 : sampleEveryMs,
  })
  clearTimeout(endTimer)
  const { posts, errors } = await load
  sampleErrors.push(...errors.map((error) => `load: ${error}`))
  logProgress(`the load has ended after ${posts} posts; waiting until all are settled`)
  await sleepUntilLastDue(ledger.entries)
  const { left } = await waitSettled(db, { withinMs: drainWithinMs })
  const { undelivered } = await waitEvents(db, drainWithinMs)
  logProgress(`not settled: ${left}, events and deliveries left: ${undelivered}`)
  const outcome = await report(true)
  await alerts.stop()
  receiver.close()
  await client.close()
  return outcome
}

type Watch = {
  bench: BenchStack
  startMs: number
  stop: AbortSignal
  sampler: ReturnType<typeof createSampler>
  samples: Sample[]
  sampleErrors: string[]
  report: (isComplete: boolean) => Promise<Outcome>
  everyMs: number
}

/** Takes samples, and writes a report now and then, until the load ends. No failure here ends the run. */
async function watch({ bench, startMs, stop, sampler, samples, sampleErrors, report, everyMs }: Watch): Promise<void> {
  let reportAtMs = startMs + reportEveryMs
  for (let n = 1; !stop.aborted; n++) {
    await sleep(Math.max(0, startMs + n * everyMs - Date.now()), undefined, { signal: stop }).catch(() => {})
    await ageIdempotencyRows(bench.db).catch((error: unknown) => sampleErrors.push(String(error)))
    const minute = (Date.now() - startMs) / 60_000
    const { values, errors } = await sampler.take()
    samples.push({ minute, values })
    sampleErrors.push(...errors.map((error) => `minute ${minute.toFixed(1)}: ${error}`))
    if (Date.now() < reportAtMs || stop.aborted) continue
    reportAtMs += reportEveryMs
    await report(false).then(
      ({ figure }) => logProgress(figure),
      (error: unknown) => sampleErrors.push(`report: ${String(error)}`),
    )
  }
}

async function sleepUntilLastDue(entries: readonly { dueAtMs: number | null }[]): Promise<void> {
  const lastMs = entries.reduce((latest, { dueAtMs }) => Math.max(latest, dueAtMs ?? 0), 0)
  await sleep(Math.max(0, lastMs + 1000 - Date.now()))
}
