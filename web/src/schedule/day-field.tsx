import { CalendarDays } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../time/format-time.ts'
import { dayInFigures, readDay } from '../time/read-day.ts'
import { addDays, todayIn } from '../time/zoned-day.ts'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { useSelectOnFocus } from '../ui/form/use-select-on-focus.ts'
import { iconButtonLook } from '../ui/icon-button-look.ts'
import { Popover } from '../ui/overlay/popover.tsx'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { DayGrid, type DayRange } from './day-grid.tsx'
import { useNativePickers } from './use-native-pickers.ts'

type DayFieldProps = {
  label: string
  /** `2027-03-28`, or empty while what was typed is no day. */
  value: string
  onChange: (day: string) => void
  /** The zone whose today and whose posts the calendar shows. */
  zone: string
  /** For looking back: the days that can be chosen, without posts. If it is absent, a post is planned, from today on. */
  past?: DayRange
  error?: string | null
  inputRef?: Ref<HTMLInputElement>
}

/** A day: typed in any usual form, or chosen in a calendar. Arrow keys change it by one day, Alt and the arrow down opens the calendar. */
export function DayField(props: DayFieldProps) {
  const isNative = useNativePickers()
  if (!isNative) return <OwnDayField {...props} />
  const { label, value, onChange, past, error, inputRef } = props
  return (
    <Field label={label} error={error}>
      <Input
        ref={inputRef}
        data-day-field
        type="date"
        min={past?.from}
        max={past?.to}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

function OwnDayField({ label, value, onChange, zone, past, error, inputRef }: DayFieldProps) {
  const { t } = useTranslation('schedule')
  const { language } = useTimeStyle()
  const selectOnFocus = useSelectOnFocus()
  const field = useRef<HTMLDivElement>(null)
  const activeCell = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const [isTyping, setIsTyping] = useState(false)
  const today = todayIn(zone)
  const isUnreadable = typed !== null && typed.trim() !== '' && !isTyping && value === ''
  const type = (text: string) => {
    setTyped(text)
    setIsTyping(true)
    onChange(readDay(text, { today, language, isPast: past !== undefined }) ?? '')
  }
  const choose = (day: string) => {
    setTyped(null)
    setIsOpen(false)
    onChange(day)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    if (event.altKey) setIsOpen(true)
    else if (value !== '') choose(addDays(value, event.key === 'ArrowUp' ? 1 : -1))
  }
  return (
    <Field
      label={label}
      error={isUnreadable ? t('day.unreadable', { example: dayInFigures(addDays(today, past ? -1 : 1), language) }) : error}
    >
      <div ref={field} className="relative">
        <Input
          ref={inputRef}
          data-day-field
          autoComplete="off"
          spellCheck={false}
          {...selectOnFocus}
          value={typed ?? (value === '' ? '' : formatDay(value, 'day', language))}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setIsTyping(false)
            if (value !== '') setTyped(null)
          }}
          className="figures pr-11"
        />
        <Popover
          title={t('day.title')}
          open={isOpen}
          onOpenChange={setIsOpen}
          anchor={field}
          initialFocus={activeCell}
          className="p-3"
          trigger={
            <button
              type="button"
              aria-label={t('day.open')}
              className={`${iconButtonLook} absolute inset-y-0.5 right-0.5 h-auto w-9`}
            >
              <CalendarDays aria-hidden />
            </button>
          }
        >
          <DayGrid value={value} zone={zone} past={past} onChoose={choose} activeCell={activeCell} />
        </Popover>
      </div>
    </Field>
  )
}
