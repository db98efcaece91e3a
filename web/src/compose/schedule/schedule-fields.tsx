import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { browserZone } from '../../time/format-time.ts'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { RadioGroup } from '../../ui/form/radio-group.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useCompose } from '../compose-context.ts'
import { useFieldError } from '../editor/use-describe-finding.ts'
import { nextHour, timeFacts } from './time-facts.ts'

/** Now, or at a wall-clock time in a zone; a scheduled post has a time. What that is for the reader stands below it. */
export function ScheduleFields({ isScheduled }: { isScheduled: boolean }) {
  const { t } = useTranslation('compose')
  const style = useTimeStyle()
  const { state, dispatch } = useCompose()
  const { when } = state
  const timeError = useFieldError('scheduledAt')
  const zoneError = useFieldError('timezone')
  const [day = '', time = ''] = when.wall.split('T')
  // A date that is being typed is empty in between; the time must not be forgotten then.
  const [lastTime, setLastTime] = useState(time)
  if (time !== '' && time !== lastTime) setLastTime(time)
  const facts = when.isLater && zoneError === null ? timeFacts(when, style) : null
  const choose = (value: 'now' | 'later') => {
    const wall = when.wall === '' ? nextHour(when.zone, Date.now()) : when.wall
    dispatch({ type: 'changeTime', change: value === 'later' ? { isLater: true, wall } : { isLater: false } })
  }
  // A new day keeps the time.
  const setWall = (nextDay: string, nextTime: string) =>
    dispatch({ type: 'changeTime', change: { wall: nextDay === '' ? '' : `${nextDay}T${nextTime || lastTime || '09:00'}` } })
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
          <Field label={t('when.day')} error={timeError}>
            <Input type="date" value={day} onChange={(event) => setWall(event.target.value, time)} />
          </Field>
          <Field label={t('when.time')}>
            <Input type="time" value={time.slice(0, 5)} onChange={(event) => setWall(day, event.target.value)} />
          </Field>
          <Field label={t('when.zone')} error={zoneError} className="max-sm:col-span-2">
            <Input
              list="compose-zones"
              value={when.zone}
              autoComplete="off"
              onChange={(event) => dispatch({ type: 'changeTime', change: { zone: event.target.value } })}
            />
          </Field>
          <ZoneList />
        </div>
      )}
      {facts && (
        <p className="figures text-sm text-quiet">
          {t('when.there', { time: facts.there, city: facts.city })}
          {facts.here !== null && ` · ${t('when.here', { time: facts.here })}`}
          {facts.oddity !== null && <span className="block text-straw">{t(`when.${facts.oddity}`, { city: facts.city })}</span>}
        </p>
      )}
    </section>
  )
}

/** More than 400 options, which must not be made again with every key. */
const ZoneList = memo(function ZoneList() {
  const own = browserZone()
  const zones = [own, ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== own)]
  return (
    <datalist id="compose-zones">
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone}
        </option>
      ))}
    </datalist>
  )
})
