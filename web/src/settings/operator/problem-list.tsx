import { useTranslation } from 'react-i18next'
import type { LoopFigures, OperatorFigures, PoolFigures, QueueFigures } from '../../api/operator.ts'
import { formatDuration, formatNumber } from '../../time/format-number.ts'
import { Notice } from '../../ui/notice.tsx'

/** What is wrong now, each with the name of its page in the documentation; or that nothing is. */
export function ProblemList({ figures }: { figures: OperatorFigures }) {
  const { t, i18n } = useTranslation('operator')
  const problems = findProblems(figures)
  if (problems.length === 0) return <Notice kind="done" title={t('problems.none')} />
  const say = ({ kind, name = '', seconds, count = 0 }: OperatorProblem) => {
    if (kind === 'heartbeat' && seconds === undefined) return t('problems.noHeartbeat')
    const time = formatDuration(seconds ?? 0, i18n.language)
    return t(`problems.${kind}`, { name, time, number: formatNumber(count, i18n.language) })
  }
  return (
    <Notice kind="problem" title={t('problems.title')}>
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {problems.map((problem) => (
          <li key={`${problem.kind} ${problem.name ?? ''}`}>
            {say(problem)} <span className="text-sm text-quiet">{t('problems.page', { page: problem.alert })}</span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** What is wrong, with the alert that reports the same: its page in the documentation says what to do. */
type OperatorProblem = { kind: ProblemKind; alert: string; seconds?: number; count?: number; name?: string }

type ProblemKind =
  | 'database'
  | 'engine'
  | 'heartbeat'
  | 'fenced'
  | 'unchecked'
  | 'overdue'
  | 'stuck'
  | 'unknownPlatform'
  | 'loop'
  | 'chore'
  | 'late'
  | 'events'
  | 'deliveries'
  | 'mails'
  | 'pool'

/** The limits are those of the alert rules in deploy/monitoring/alerts.yaml. */
const limits = {
  heartbeatSeconds: 60,
  overdueSeconds: 120,
  lateSeconds: 10,
  eventsSeconds: 60,
  deliveries: 1000,
  mailsSeconds: 600,
}

/** Everything that is wrong now, the most urgent first. */
export function findProblems({ isDatabaseUp, isEngineUp, queues, day, chores, process }: OperatorFigures): OperatorProblem[] {
  const isStopped = ({ ageSeconds, allowedSeconds }: LoopFigures) => ageSeconds > allowedSeconds
  const lateSeconds = day?.total?.p99 ?? 0
  return [
    ...(isDatabaseUp ? [] : [{ kind: 'database', alert: 'CarillonDatabaseUnreachable' } as const]),
    ...(isEngineUp ? [] : [{ kind: 'engine', alert: 'CarillonEngineUnreachable' } as const]),
    ...(queues ? sendingProblems(queues) : []),
    ...process.loops.filter(isStopped).map(({ name, ageSeconds }) => ({
      kind: 'loop' as const,
      alert: 'CarillonLoopStopped',
      name,
      seconds: ageSeconds,
    })),
    ...(lateSeconds > limits.lateSeconds ? [{ kind: 'late', alert: 'CarillonSendsLate', seconds: lateSeconds } as const] : []),
    ...(queues ? queueProblems(queues) : []),
    ...(chores ?? []).filter(isStopped).map(({ name, ageSeconds }) => ({
      kind: 'chore' as const,
      alert: 'CarillonChoreStopped',
      name,
      seconds: ageSeconds,
    })),
    ...process.pools.flatMap(poolProblems),
  ]
}

function sendingProblems(queues: QueueFigures): OperatorProblem[] {
  const { heartbeatAgeSeconds: heartbeat, oldestOverdueSeconds: overdue } = queues
  const problems: OperatorProblem[] = []
  if (heartbeat === null || heartbeat > limits.heartbeatSeconds)
    problems.push({
      kind: 'heartbeat',
      alert: 'CarillonHeartbeatMissing',
      ...(heartbeat !== null && { seconds: heartbeat }),
    })
  if (queues.isFenced) problems.push({ kind: 'fenced', alert: 'CarillonFenced' })
  if (queues.isUnchecked) problems.push({ kind: 'unchecked', alert: 'CarillonWitnessUnchecked' })
  if (overdue > limits.overdueSeconds) problems.push({ kind: 'overdue', alert: 'CarillonPostsOverdue', seconds: overdue })
  if (queues.stuck > 0) problems.push({ kind: 'stuck', alert: 'CarillonChannelsStuck', count: queues.stuck })
  if (queues.unknownPlatform > 0)
    problems.push({ kind: 'unknownPlatform', alert: 'CarillonUnknownPlatform', count: queues.unknownPlatform })
  return problems
}

function queueProblems(queues: QueueFigures): OperatorProblem[] {
  const { eventsOldestSeconds: events, deliveriesWaiting: deliveries, mailsOldestSeconds: mails } = queues
  const problems: OperatorProblem[] = []
  if (events > limits.eventsSeconds) problems.push({ kind: 'events', alert: 'CarillonEventsDelayed', seconds: events })
  if (deliveries > limits.deliveries) problems.push({ kind: 'deliveries', alert: 'CarillonWebhookBacklog', count: deliveries })
  if (mails > limits.mailsSeconds) problems.push({ kind: 'mails', alert: 'CarillonMailDelayed', seconds: mails })
  return problems
}

function poolProblems({ waiting }: PoolFigures): OperatorProblem[] {
  return waiting > 0 ? [{ kind: 'pool', alert: 'CarillonPoolExhausted', count: waiting }] : []
}
