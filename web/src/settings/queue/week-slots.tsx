import type { Queue } from '@carillon/sdk'
import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { TimeField } from '../../schedule/time-field.tsx'
import { formatDay, formatTime } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useAccess } from '../use-access.ts'

type Slot = Queue['slots'][number]
type Day = Slot['day']

/** With a date that falls on each day, to write its name. */
const days: readonly { day: Day; date: string }[] = [
  { day: 'monday', date: '2024-01-01' },
  { day: 'tuesday', date: '2024-01-02' },
  { day: 'wednesday', date: '2024-01-03' },
  { day: 'thursday', date: '2024-01-04' },
  { day: 'friday', date: '2024-01-05' },
  { day: 'saturday', date: '2024-01-06' },
  { day: 'sunday', date: '2024-01-07' },
]
const workdays: ReadonlySet<Day> = new Set(days.slice(0, 5).map(({ day }) => day))

const keyOf = ({ day, time }: Pick<Slot, 'day' | 'time'>) => `${day} ${time}`

/** A week as a grid: a row for each time, a switch for each day. Nothing is stored before it is saved. */
export function WeekSlots({ queue, canChange }: { queue: Queue; canChange: boolean }) {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const style = useTimeStyle()
  const [slots, setSlots] = useState<readonly Slot[]>(queue.slots)
  // A row stays when its last day is switched off: what has the focus must not disappear.
  const [times, setTimes] = useState(() => [...new Set(queue.slots.map(({ time }) => time))].toSorted())
  const [newTime, setNewTime] = useState('')
  const { mutate: save, isPending } = useChange({
    run: () => carillon.queues.update(queue.id, { slots: [...slots] }, { workspaceId }),
    affects: () => [
      ['queues.list', workspaceId],
      ['queues.slots', workspaceId],
    ],
    done: () => ({ title: t('queue.saved') }),
  })
  const chosen = new Set(slots.map(keyOf))
  const stored = new Set(queue.slots.map(keyOf))
  const isChanged = chosen.size !== stored.size || [...chosen].some((key) => !stored.has(key))
  const week = [...days.slice(style.weekStart - 1), ...days.slice(0, style.weekStart - 1)]
  const writeTime = (time: string) => formatTime(`2000-01-01T${time}:00Z`, 'time', { ...style, zone: 'UTC' })
  const toggle = (day: Day, time: string) => {
    const key = keyOf({ day, time })
    // A slot that comes back is for the same accounts as before.
    const known = queue.slots.find((slot) => keyOf(slot) === key)
    setSlots(chosen.has(key) ? slots.filter((slot) => keyOf(slot) !== key) : [...slots, known ?? { day, time }])
  }
  const addTime = () => {
    if (!times.includes(newTime)) setTimes([...times, newTime].toSorted())
    const added = days.filter(({ day }) => workdays.has(day) && !chosen.has(keyOf({ day, time: newTime })))
    setSlots([...slots, ...added.map(({ day }) => ({ day, time: newTime }))])
    setNewTime('')
  }
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-4">
      {times.length === 0 ? (
        <p className="text-quiet">{t('queue.noTimes')}</p>
      ) : (
        <table className="w-full max-w-2xl table-fixed border-separate border-spacing-1 max-sm:-mx-1">
          <caption className="sr-only">{t('queue.week', { queue: queue.name })}</caption>
          <thead>
            <tr>
              <th scope="col" className="w-14 sm:w-20">
                <span className="sr-only">{t('queue.time')}</span>
              </th>
              {week.map(({ day, date }) => (
                <th key={day} scope="col" className="pb-1 text-xs font-medium text-quiet">
                  {formatDay(date, 'weekday', style.language)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((time) => (
              <tr key={time}>
                <th scope="row" className="figures pr-1 text-left text-sm font-normal whitespace-nowrap">
                  {writeTime(time)}
                </th>
                {week.map(({ day, date }) => {
                  const isOn = chosen.has(keyOf({ day, time }))
                  return (
                    <td key={day}>
                      <button
                        type="button"
                        aria-pressed={isOn}
                        aria-label={t('queue.slot', { day: formatDay(date, 'weekday', style.language), time: writeTime(time) })}
                        disabled={!canChange}
                        onClick={() => toggle(day, time)}
                        className={[
                          'flex h-10 w-full items-center justify-center rounded-control border transition-colors pointer-coarse:h-11',
                          isOn
                            ? 'border-transparent bg-bell text-on-bell not-disabled:hover:bg-bell-strong'
                            : 'border-edge bg-surface not-disabled:hover:bg-hover',
                        ].join(' ')}
                      >
                        {isOn && <Check aria-hidden className="size-4" />}
                      </button>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {canChange && (
        <div className="flex flex-wrap items-end gap-2">
          <div className="w-36">
            <TimeField label={t('queue.newTime')} value={newTime} onChange={setNewTime} />
          </div>
          <Button icon={<Plus aria-hidden />} disabled={newTime === ''} onClick={addTime}>
            {t('queue.addTime')}
          </Button>
          <div className="flex flex-1 justify-end gap-2">
            {isChanged && (
              <Button variant="quiet" onClick={() => setSlots(queue.slots)}>
                {t('queue.discard')}
              </Button>
            )}
            <Button variant="primary" isBusy={isPending} disabled={!isChanged} onClick={() => save(undefined)}>
              {t('queue.save')}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}
