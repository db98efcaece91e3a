import { atMost, type Goal, type Outcome } from '../results.ts'
import { round } from '../stats.ts'
import type { CheckedSends } from './check-sends.ts'
import type { Verdict } from './judge-flatness.ts'
import type { Sample } from './series.ts'
import type { SoakClient } from './create-soak-client.ts'
import type { Firing } from './watch-alerts.ts'

type Measured = {
  isComplete: boolean
  /** In half a minute nothing can be called flat or not. */
  isShort: boolean
  minutes: number
  warmUpMinutes: number
  settings: Record<string, unknown>
  samples: readonly Sample[]
  verdicts: readonly Verdict[]
  sends: CheckedSends
  firings: readonly Firing[] | null
  client: SoakClient
  sampleErrors: readonly string[]
}

const lateMsMax = 2000
const errorsShown = 20

/** The figures and goals of a soak, also of one that is not finished. */
export function judgeSoak(measured: Measured): Outcome {
  const { isComplete, isShort, minutes, warmUpMinutes, settings, samples, verdicts, sends, firings, client, sampleErrors } =
    measured
  const rising = verdicts.filter(({ isFlat }) => !isFlat)
  const notStored = Math.max(0, Math.abs(sends.posts.stored - sends.posts.kept) - sends.posts.unanswered)
  const afterWarmUp = samples.filter(({ minute }) => minute >= warmUpMinutes)
  const judged = afterWarmUp.length > 0 ? afterWarmUp : samples
  const meanOf = (name: string) =>
    round(judged.reduce((sum, { values }) => sum + (values[name] ?? 0), 0) / Math.max(1, judged.length), 3)
  const processor = Object.fromEntries(
    ['of the service', 'api', 'worker', 'postgres', 'engine', 'simulator', 'bench', 'all'].map((name) => [
      name,
      meanOf(`processor ${name}`),
    ]),
  )
  const { lateness: _all, examples, ...counted } = sends
  return {
    figure:
      `soak: ${isComplete ? '' : 'not finished, '}${Math.round(minutes)} minutes, ${sends.posts.made} posts, ${sends.expected} channels expected: ` +
      `lost ${sends.lost}, doubled ${sends.doubled}, unconfirmed ${sends.unconfirmed}, late p50 ${sends.lateMs.p50} p99 ${sends.lateMs.p99} ms; ` +
      `${verdicts.length - rising.length} of ${verdicts.length} series flat${rising.length > 0 ? ` (not: ${rising.map(nameOf).join(', ')})` : ''}; ` +
      `alerts ${firings === null ? 'not watched' : firings.length}; ${Math.round((processor['of the service'] ?? 0) * 100)} % of a core`,
    goals: [
      ...(isShort ? [] : flatGoals(verdicts)),
      atMost('lost', sends.lost, 0),
      atMost('doubled', sends.doubled, 0),
      atMost('sent although deleted, a draft or changed', sends.unwanted, 0),
      atMost('misreported', sends.misreported, 0),
      atMost('unconfirmed', sends.unconfirmed, 0),
      atMost('posts missing or left over in the database', notStored, 0),
      atMost('posts that ended without their webhook', sends.eventsMissing, 0),
      atMost('requests refused', refusedOf(client), 0),
      atMost('sent early', sends.early, 0),
      atMost('lateness p99 (ms)', sends.lateMs.p99, lateMsMax),
      ...(firings === null ? [] : [atMost(`alerts that fired${listOf(firings.map(({ alert }) => alert))}`, firings.length, 0)]),
    ],
    settings,
    data: {
      minutes: round(minutes),
      processorShare: processor,
      sends: { ...counted, examples },
      requests: client.figures(),
      alerts: firings,
      bytesPerKeptPost: bytesPerKeptPost(samples, sends),
      verdicts: verdicts.toSorted((a, b) => Number(a.isFlat) - Number(b.isFlat) || b.share - a.share),
      sampleErrors: sampleErrors.slice(0, errorsShown),
      sampleErrorCount: sampleErrors.length,
    },
  }
}

/** Requests that the service did not accept although they were right. 409 and 429 are repeated. */
function refusedOf(client: SoakClient): number {
  const { statuses } = client.figures()
  return ['400', '401', '403', '404', '422'].reduce((sum, status) => sum + (statuses[status] ?? 0), 0)
}

const groups: readonly { title: string; kinds: readonly Verdict['kind'][] }[] = [
  { title: 'memory and heaps that rise', kinds: ['memory', 'heap'] },
  { title: 'folders on disk that rise', kinds: ['disk'] },
  { title: 'tables that rise in rows or bytes', kinds: ['rows', 'bytes'] },
  { title: 'kept tables that need more bytes for a row', kinds: ['bytesPerRow'] },
  { title: 'journals, files, connections or dead rows that rise', kinds: ['count', 'ratio'] },
]

function flatGoals(verdicts: readonly Verdict[]): Goal[] {
  return groups.map(({ title, kinds }) => {
    const rising = verdicts.filter(({ kind, isFlat }) => kinds.includes(kind) && !isFlat)
    return atMost(`${title}${listOf(rising.map(nameOf))}`, rising.length, 0)
  })
}

function nameOf({ name, share }: Verdict): string {
  return `${name} +${round(share * 100, 1)} %`
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? '' : `: ${[...new Set(names)].join(', ')}`
}

/** What a kept post costs in the database, with its channels, figures, audit entries and indexes: the growth of the whole database. */
function bytesPerKeptPost(samples: readonly Sample[], { posts }: CheckedSends): number | null {
  const size = samples.at(-1)?.values['shown database size']
  const first = samples[0]?.values['shown database size']
  return size === undefined || first === undefined || posts.stored === 0 ? null : Math.round((size - first) / posts.stored)
}
