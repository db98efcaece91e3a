import { useId, useRef, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { browserZone, formatTime, zoneCity } from '../time/format-time.ts'
import { readWallTime } from '../time/wall-time.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { useTimeStyle } from '../workspaces/use-time-style.ts'

type MoveDialogProps = {
  /** The wall time now, in the zone of the workspace. */
  wall: string
  excerpt?: string
  /** How many posts are moved together. */
  count?: number
  onMove: (wall: string) => void
  onClose: () => void
}

/** Asks for a day and a time. It is the way to move a post without dragging. */
export function MoveDialog({ wall, excerpt, count, onMove, onClose }: MoveDialogProps) {
  const { t } = useTranslation(['posts', 'shell'])
  const style = useTimeStyle()
  const formId = useId()
  const dayField = useRef<HTMLInputElement>(null)
  const [day, setDay] = useState(wall.slice(0, 10))
  const [time, setTime] = useState(wall.slice(11, 16))
  const [openedAtMs] = useState(() => Date.now())
  const chosen = readWallTime(style.zone, `${day}T${time}`)
  const isPast = chosen !== null && Date.parse(chosen.at) < openedAtMs
  const ownZone = browserZone()
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!chosen || isPast) return
    onMove(`${day}T${time}`)
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={count === undefined ? t('move.title') : t('move.titleMany', { count })}
      description={excerpt}
      closeLabel={t('shell:close')}
      initialFocus={dayField}
      actions={
        <>
          <Button onClick={onClose}>{t('shell:cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} disabled={!chosen || isPast}>
            {t('move.confirm')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={onSubmit} className="flex flex-col gap-3">
        <div className="grid grid-cols-2 gap-3">
          <Field label={t('move.day')} name="day">
            <Input ref={dayField} type="date" value={day} required onChange={(event) => setDay(event.target.value)} />
          </Field>
          <Field label={t('move.time')} name="time">
            <Input type="time" value={time} required onChange={(event) => setTime(event.target.value)} />
          </Field>
        </div>
        <p aria-live="polite" className={isPast ? 'font-medium text-rust' : 'text-quiet'}>
          {isPast && t('move.past')}
          {!isPast &&
            chosen &&
            t('move.inZone', { when: formatTime(chosen.at, 'dayAndTime', style), city: zoneCity(style.zone) })}
          {!isPast && chosen && ownZone !== style.zone && (
            <span className="block">
              {t('move.forYou', { when: formatTime(chosen.at, 'dayAndTime', { ...style, zone: ownZone }) })}
            </span>
          )}
          {!isPast && chosen?.kind === 'skipped' && <span className="block">{t('move.skipped')}</span>}
          {!isPast && chosen?.kind === 'repeated' && <span className="block">{t('move.repeated')}</span>}
        </p>
      </form>
    </Dialog>
  )
}
