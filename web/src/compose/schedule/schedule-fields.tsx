import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DayField } from '../../schedule/day-field.tsx'
import { TimeField } from '../../schedule/time-field.tsx'
import { useClockText } from '../../schedule/use-clock-text.ts'
import { ZoneField } from '../../schedule/zone-field.tsx'
import { RadioGroup } from '../../ui/form/radio-group.tsx'
import { useOwnZone } from '../../workspaces/use-me.ts'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useCompose } from '../compose-context.ts'
import { useFieldError } from '../editor/use-describe-finding.ts'
import { nextHour, timeFacts } from './time-facts.ts'

/** Now, or at a wall-clock time in a zone; a scheduled post has a time. What that is for the reader stands below it. */
export function ScheduleFields({ isScheduled, children }: { isScheduled: boolean; children?: ReactNode }) {
  const { t } = useTranslation('compose')
  const style = useTimeStyle()
  const ownZone = useOwnZone()
  const { write } = useClockText()
  const { state, dispatch } = useCompose()
  const { when } = state
  const timeError = useFieldError('scheduledAt')
  const zoneError = useFieldError('timezone')
  // While one of the two is being typed, the post has no time; the other must not be forgotten then.
  const [unfinished, setUnfinished] = useState({ day: '', time: '' })
  const { day, time } = when.wall === '' ? unfinished : { day: when.wall.slice(0, 10), time: when.wall.slice(11, 16) }
  const facts = when.isLater && zoneError === null ? timeFacts(when, { style, ownZone }) : null
  const choose = (value: 'now' | 'later') => {
    const wall = when.wall === '' ? nextHour(when.zone, Date.now()) : when.wall
    dispatch({ type: 'changeTime', change: value === 'later' ? { isLater: true, wall } : { isLater: false } })
  }
  const setWall = (next: { day: string; time: string }) => {
    setUnfinished(next)
    dispatch({ type: 'changeTime', change: { wall: next.day === '' || next.time === '' ? '' : `${next.day}T${next.time}` } })
  }
  return (
    <section aria-label={t('when.title')} className="flex flex-col gap-3">
      <h2 className="text-sm font-medium">{t('when.title')}</h2>
      {!isScheduled && (
        <RadioGroup
          label={t('when.title')}
          className="flex-row gap-6"
          choices={[
            { value: 'now', label: t('when.now') },
            { value: 'later', label: t('when.later') },
          ]}
          value={when.isLater ? 'later' : 'now'}
          onChange={choose}
        />
      )}
      {when.isLater && (
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-[1fr_8rem_1.4fr]">
          <DayField
            label={t('when.day')}
            value={day}
            // A copy of an earlier version may have a zone that was only half typed.
            zone={zoneError === null ? when.zone : style.zone}
            error={timeError}
            onChange={(next) => setWall({ day: next, time })}
          />
          <TimeField label={t('when.time')} value={time} onChange={(next) => setWall({ day, time: next })} />
          <ZoneField
            label={t('when.zone')}
            error={zoneError}
            value={when.zone}
            offered={style.zone}
            at={facts?.at}
            onChange={(zone) => dispatch({ type: 'changeTime', change: { zone } })}
            className="max-sm:col-span-2"
          />
        </div>
      )}
      {facts && (
        <p className="figures text-sm text-quiet">
          {write(facts.clocks)}
          {facts.oddity !== null && (
            <span className="block text-straw">{t(`when.${facts.oddity}`, { city: facts.clocks.city })}</span>
          )}
        </p>
      )}
      {when.isLater && when.wall !== '' && zoneError === null && children}
    </section>
  )
}
