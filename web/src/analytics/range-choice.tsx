import { useTranslation } from 'react-i18next'
import { DayField } from '../schedule/day-field.tsx'
import { localeOf } from '../i18n/language.ts'
import { formatDay } from '../time/format-time.ts'
import { lastDays } from '../time/last-days.ts'
import { Select } from '../ui/form/select.tsx'
import { type AnalyticsSearch, type Chosen, comparisons, ranges } from './analytics-search.ts'

type RangeChoiceProps = { chosen: Chosen; onChange: (part: AnalyticsSearch) => void }

/** Which days are shown: the last so many, or from one day to another. And what they are compared with. */
export function RangeChoice({ chosen, onChange }: RangeChoiceProps) {
  const { t } = useTranslation('analytics')
  const { days, from, to, against } = chosen
  const choose = (next: string) =>
    // The days that were shown so far are where a choice of one's own begins.
    onChange(
      next === 'own' && from === '' && to === ''
        ? { days: next, ...lastDays(days === 'own' ? 28 : Number(days)) }
        : { days: next },
    )
  const today = lastDays(1).to
  const isBackward = from !== '' && to !== '' && from > to
  return (
    <>
      <Select
        label={t('range')}
        value={days}
        onChange={choose}
        options={ranges.map((value) => ({
          value,
          label: value === 'own' ? t('own.choose') : t('lastDays', { count: Number(value) }),
        }))}
        className="sm:w-48!"
      />
      <Select
        label={t('against.label')}
        value={against}
        onChange={(next) => onChange({ against: next })}
        options={comparisons.map((value) => ({ value, label: t(`against.${value}`) }))}
        className="sm:w-56!"
      />
      {days === 'own' && (
        <div className="order-last col-span-2 grid basis-full grid-cols-1 gap-3 sm:grid-cols-[12rem_12rem]">
          <DayField
            label={t('own.from')}
            value={from}
            onChange={(day) => onChange({ from: day })}
            zone="UTC"
            past={{ to: to === '' || isBackward ? today : to }}
          />
          <DayField
            label={t('own.to')}
            value={to}
            onChange={(day) => onChange({ to: day })}
            zone="UTC"
            past={{ to: today }}
            error={isBackward ? t('own.backward') : null}
          />
        </div>
      )}
    </>
  )
}

type Days = { from: string; to: string }

/** The days in words, because "compared with before" leaves open which days those are. */
export function RangeText({ range, before }: { range: Days; before: Days }) {
  const { t, i18n } = useTranslation('analytics')
  const text = ({ from, to }: Days) => nameDays({ from, to }, localeOf(i18n.language))
  return <p className="text-sm text-quiet">{t('compared', { range: text(range), before: text(before) })}</p>
}

/** "1 Nov 2026 – 30 Nov 2026", or one day. */
function nameDays({ from, to }: Days, language: string): string {
  const [first, last] = [formatDay(from, 'dayOfYear', language), formatDay(to, 'dayOfYear', language)]
  return from === to ? first : `${first} – ${last}`
}
