import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { carillon } from '../api/client.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { DayField } from '../schedule/day-field.tsx'
import { TimeField } from '../schedule/time-field.tsx'
import { ZoneField } from '../schedule/zone-field.tsx'
import { formatDay, formatTime } from '../time/format-time.ts'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { RadioGroup } from '../ui/form/radio-group.tsx'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { dateOfWeekday, nthOf, toRule, weekdayOf, weekdays, type Rule, type RuleDraft, type Weekday } from './rule.ts'
import { useRuleWords } from './use-rule-words.ts'

type RuleFieldsProps = { workspaceId: string; draft: RuleDraft; onChange: (draft: RuleDraft) => void }

/** How often, when, and until when; below it the dates that follow from it. */
export function RuleFields({ workspaceId, draft, onChange }: RuleFieldsProps) {
  const { t } = useTranslation('series')
  const style = useTimeStyle()
  const set = (change: Partial<RuleDraft>) => onChange({ ...draft, ...change })
  const rule = toRule(draft)
  const { pattern, every, days, monthDay, end } = draft
  const week = [...weekdays.slice(style.weekStart - 1), ...weekdays.slice(0, style.weekStart - 1)]
  const toggle = (day: Weekday) => set({ days: days.includes(day) ? days.filter((each) => each !== day) : [...days, day] })
  const firstDay = draft.from === '' ? null : draft.from
  return (
    <div className="flex flex-col gap-5">
      <RadioGroup
        label={t('pattern.title')}
        className="grid grid-cols-2 gap-x-6 sm:flex sm:flex-row"
        choices={(['day', 'weekdays', 'week', 'month'] as const).map((value) => ({ value, label: t(`pattern.${value}`) }))}
        value={pattern}
        onChange={(next) => set({ pattern: next })}
      />
      {pattern !== 'weekdays' && (
        <Field label={t(`every.${pattern}`)} className="max-w-48">
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={pattern === 'day' ? 365 : pattern === 'week' ? 52 : 12}
            value={every}
            onChange={(event) => set({ every: event.target.valueAsNumber })}
          />
        </Field>
      )}
      {pattern === 'week' && (
        <fieldset aria-label={t('days')} className="flex flex-wrap gap-1.5">
          {week.map((day) => (
            <button
              key={day}
              type="button"
              aria-pressed={days.includes(day)}
              onClick={() => toggle(day)}
              className={`min-h-9 min-w-11 rounded-control border px-2 text-sm pointer-coarse:min-h-11 ${days.includes(day) ? 'border-bell bg-bell-wash font-medium text-bell' : 'border-edge text-quiet hover:bg-hover'}`}
            >
              {formatDay(dateOfWeekday(day), 'weekday', style.language)}
            </button>
          ))}
        </fieldset>
      )}
      {pattern === 'month' && firstDay !== null && (
        <RadioGroup
          label={t('monthDay.title')}
          choices={[
            { value: 'date', label: t('monthDay.date', { day: Number(firstDay.slice(8)) }) },
            { value: 'last', label: t('monthDay.last') },
            {
              value: 'weekday',
              label: t('words.onNth', {
                nth: t(`words.nth.${nthOf(firstDay)}`),
                day: formatDay(dateOfWeekday(weekdayOf(firstDay)), 'weekday', style.language),
              }),
            },
          ]}
          value={monthDay}
          onChange={(next) => set({ monthDay: next })}
        />
      )}
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[1fr_8rem_1.2fr]">
        <DayField label={t('from')} value={draft.from} zone={draft.timezone || style.zone} onChange={(from) => set({ from })} />
        <TimeField label={t('time')} value={draft.time} onChange={(time) => set({ time })} />
        <ZoneField
          label={t('zone')}
          value={draft.timezone}
          offered={style.zone}
          onChange={(timezone) => set({ timezone })}
          className="max-sm:col-span-2"
        />
      </div>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <RadioGroup
          label={t('end.title')}
          className="flex-row flex-wrap gap-x-6"
          choices={(['never', 'until', 'count'] as const).map((value) => ({ value, label: t(`end.${value}`) }))}
          value={end}
          onChange={(next) => set({ end: next })}
        />
        {end === 'until' && (
          <DayField
            label={t('end.day')}
            value={draft.until}
            zone={draft.timezone || style.zone}
            onChange={(until) => set({ until })}
          />
        )}
        {end === 'count' && (
          <Field label={t('end.number')} className="w-32">
            <Input
              type="number"
              inputMode="numeric"
              min={1}
              max={366}
              value={draft.count}
              onChange={(event) => set({ count: event.target.valueAsNumber })}
            />
          </Field>
        )}
      </div>
      {rule && <NextDates workspaceId={workspaceId} rule={rule} />}
    </div>
  )
}

/** The dates that the server would make, in words and in a small month. */
function NextDates({ workspaceId, rule }: { workspaceId: string; rule: Rule }) {
  const { t } = useTranslation('series')
  const style = useTimeStyle()
  const words = useRuleWords()
  const { data, error } = useQuery({
    queryKey: ['series.preview', workspaceId, rule],
    queryFn: ({ signal }) => carillon.series.preview({ ...rule, limit: 31 }, { workspaceId, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (error) return <ErrorNotice error={error} />
  if (!data) return null
  const shown = data.dates.slice(0, 10)
  const month = shown[0]?.date.slice(0, 7)
  return (
    <section aria-label={t('preview.title')} className="flex flex-col gap-3 rounded-card border border-line bg-sunken p-4">
      <p aria-live="polite" className="font-medium">
        {words(rule)}
      </p>
      {shown.length === 0 && <p className="text-quiet">{t('preview.none')}</p>}
      <div className="flex flex-wrap gap-x-10 gap-y-4">
        {month !== undefined && <MonthPicture month={month} dates={new Set(data.dates.map(({ date }) => date))} />}
        <ol className="grid min-w-0 flex-1 grid-cols-1 content-start gap-x-8 text-sm sm:grid-cols-2">
          {shown.map(({ date, at, wall }) => (
            <li key={date} className="figures py-0.5">
              {formatTime(at, 'dayAndTime', { ...style, zone: rule.timezone })}
              {formatTime(at, 'time', { ...style, zone: rule.timezone }) !==
                formatTime(`${wall}Z`, 'time', { ...style, zone: 'UTC' }) && (
                <span className="block text-xs text-straw">{t('preview.gap')}</span>
              )}
            </li>
          ))}
        </ol>
      </div>
      {data.total !== null && data.total > shown.length && (
        <p className="text-sm text-quiet">{t('preview.more', { count: data.total - shown.length })}</p>
      )}
      {data.total === null && <p className="text-sm text-quiet">{t('preview.endless')}</p>}
    </section>
  )
}

/** A month with its dates marked. The list beside it says the same in words. */
function MonthPicture({ month, dates }: { month: string; dates: ReadonlySet<string> }) {
  const style = useTimeStyle()
  const first = new Date(`${month}-01T00:00:00Z`)
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const lead = (first.getUTCDay() + 6 - (style.weekStart - 1) + 7) % 7
  const week = [...weekdays.slice(style.weekStart - 1), ...weekdays.slice(0, style.weekStart - 1)]
  return (
    <div aria-hidden className="w-56 shrink-0">
      <p className="mb-1 text-sm font-medium">{formatDay(`${month}-01`, 'month', style.language)}</p>
      <div className="figures grid grid-cols-7 text-center text-xs">
        {week.map((day) => (
          <span key={day} className="py-1 text-quiet">
            {formatDay(dateOfWeekday(day), 'weekday', style.language).slice(0, 2)}
          </span>
        ))}
        {Array.from({ length: lead }, (_, at) => (
          <span key={`lead ${at}`} />
        ))}
        {Array.from({ length }, (_, at) => {
          const date = `${month}-${String(at + 1).padStart(2, '0')}`
          const look = dates.has(date) ? 'bg-bell-wash font-semibold text-bell' : 'text-quiet'
          return (
            <span key={date} className={`m-px rounded-chip py-1 ${look}`}>
              {at + 1}
            </span>
          )
        })}
      </div>
    </div>
  )
}
