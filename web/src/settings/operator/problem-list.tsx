import { useTranslation } from 'react-i18next'
import type { OperatorFigures } from '../../api/operator.ts'
import { formatDuration } from '../../time/format-duration.ts'
import { formatNumber } from '../../time/format-number.ts'
import { Notice } from '../../ui/notice.tsx'
import { findProblems, type OperatorProblem } from './find-problems.ts'

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
