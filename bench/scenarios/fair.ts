import { measureCrowdRound, setUpCrowd, type CrowdRound } from '../fair/crowd-rounds.ts'
import { measureUploads, type Uploads } from '../fair/measure-uploads.ts'
import { logProgress } from '../log-progress.ts'
import type { Options } from '../options.ts'
import { atMost, type Outcome } from '../results.ts'
import { round, summarize, type Summary } from '../stats.ts'
import { startBenchStack } from '../setup/bench-stack.ts'

const lateMsMax = 2000
const ratioMax = 1.5
const uploadDelayMsMax = 2000

/** What one workspace with very much work costs the others: its due channels, and its uploads that are slow to decode. */
export async function fair({
  channels = 50_000,
  rounds = 3,
  workspaces = 20,
  files = 30,
  leadSeconds = 90,
  short,
}: Options): Promise<Outcome> {
  await using bench = await startBenchStack()
  logProgress('connecting the accounts')
  const setup = await setUpCrowd(bench, { channels, rounds, workspaces, leadMs: leadSeconds * 1000 })
  const quietSetup = { ...setup, leadMs: Math.min(setup.leadMs, 5000) }
  await measureCrowdRound(bench, quietSetup, { hasCrowd: false, label: 'warm' })
  const made: CrowdRound[] = []
  for (let n = 1; n <= rounds; n++) {
    made.push(await measureCrowdRound(bench, quietSetup, { hasCrowd: false, label: `alone ${n}` }))
    made.push(await measureCrowdRound(bench, setup, { hasCrowd: true, label: `crowd ${n}` }))
  }
  const uploads = await measureUploads(bench, { files, small: short ? 3 : 20 })
  return judge(made, uploads, { channels, rounds, workspaces, files, leadSeconds, fsync: true })
}

function judge(rounds: readonly CrowdRound[], uploads: Uploads, settings: Record<string, unknown>): Outcome {
  const lateness = (hasCrowd: boolean): Summary =>
    summarize(rounds.filter((each) => each.hasCrowd === hasCrowd).flatMap(({ othersLateMs }) => othersLateMs))
  const sum = (of: (each: CrowdRound) => number) => rounds.reduce((total, each) => total + of(each), 0)
  const [alone, crowded] = [lateness(false), lateness(true)]
  const show = ({ p50, p99, max }: Summary) => `p50 ${p50} p99 ${p99} max ${max} ms`
  return {
    figure: `fair: others late ${show(crowded)} with the crowd, ${show(alone)} without; a small upload is delayed by ${uploads.delayMs} ms`,
    goals: [
      atMost("others' lateness p99 with the crowd (ms)", crowded.p99, lateMsMax),
      atMost("others' lateness p99 with the crowd against without", round(crowded.p99 / alone.p99), ratioMax),
      atMost('delay of a small upload behind heavy ones (ms)', uploads.delayMs, uploadDelayMsMax),
      atMost(
        'sent early',
        sum(({ early }) => early),
        0,
      ),
      atMost(
        "others' channels not sent",
        sum(({ othersMissing }) => othersMissing),
        0,
      ),
      atMost(
        "crowd's channels not sent",
        sum(({ crowdMissing }) => crowdMissing),
        0,
      ),
      atMost('small uploads refused', uploads.smallRefused, 0),
      atMost('heavy uploads refused', uploads.heavyRefused, 0),
    ],
    settings,
    data: { others: { alone, crowded }, rounds, uploads },
  }
}
