import { useId, useRef, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { DayField } from '../schedule/day-field.tsx'
import { TimeField } from '../schedule/time-field.tsx'
import { useClockText } from '../schedule/use-clock-text.ts'
import { readWallTime } from '../time/wall-time.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'

type MoveDialogProps = {
  /** The wall time now, in the zone of the post. */
  wall: string
  zone: string
  excerpt?: string
  /** How many posts are moved together. */
  count?: number
  onMove: (wall: string) => void
  onClose: () => void
}

/** Asks for a day and a time. It is the way to move a post without dragging. */
export function MoveDialog({ wall, zone, excerpt, count, onMove, onClose }: MoveDialogProps) {
  const { t } = useTranslation(['posts', 'shell'])
  const { read, write } = useClockText()
  const formId = useId()
  const dayField = useRef<HTMLInputElement>(null)
  const [day, setDay] = useState(wall.slice(0, 10))
  const [time, setTime] = useState(wall.slice(11, 16))
  const [openedAtMs] = useState(() => Date.now())
  const chosen = readWallTime(zone, `${day}T${time}`)
  const isPast = chosen !== null && Date.parse(chosen.at) < openedAtMs
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
          <DayField label={t('move.day')} value={day} zone={zone} onChange={setDay} inputRef={dayField} />
          <TimeField label={t('move.time')} value={time} onChange={setTime} />
        </div>
        <p aria-live="polite" className={isPast ? 'font-medium text-rust' : 'text-quiet'}>
          {isPast && t('move.past')}
          {!isPast && chosen && write(read(chosen.at, zone))}
          {!isPast && chosen?.kind === 'skipped' && <span className="block">{t('move.skipped')}</span>}
          {!isPast && chosen?.kind === 'repeated' && <span className="block">{t('move.repeated')}</span>}
        </p>
      </form>
    </Dialog>
  )
}
