import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../time/format-time.ts'
import { readTimeOfDay } from '../time/read-time-of-day.ts'
import { Combobox, type ChoiceGroup } from '../ui/form/combobox.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useNativePickers } from './use-native-pickers.ts'

type TimeFieldProps = {
  label: string
  /** `09:00`, or empty while what was typed is no time. */
  value: string
  onChange: (time: string) => void
}

const halfHours = Array.from({ length: 48 }, (_, at) => timeOf(at * 30))

/** A time of day, written with the hours that the person has chosen: typed in any usual form, or chosen from a list. */
export function TimeField(props: TimeFieldProps) {
  const isNative = useNativePickers()
  if (!isNative) return <OwnTimeField {...props} />
  const { label, value, onChange } = props
  return (
    <Field label={label}>
      <Input type="time" value={value} onChange={(event) => onChange(event.target.value)} />
    </Field>
  )
}

function OwnTimeField({ label, value, onChange }: TimeFieldProps) {
  const { t } = useTranslation('schedule')
  const style = useTimeStyle()
  const [typed, setTyped] = useState<string | null>(null)
  const [isTyping, setIsTyping] = useState(false)
  const write = (time: string) => formatTime(`2000-01-01T${time}:00Z`, 'time', { ...style, zone: 'UTC' })
  const isUnreadable = typed !== null && typed.trim() !== '' && !isTyping && value === ''
  const choices = offerTimes(value).map((time) => ({ value: time, label: write(time) }))
  const groups: ChoiceGroup[] = [{ label: null, choices }]
  return (
    <Field label={label} error={isUnreadable ? t('time.unreadable', { example: write('09:30') }) : null}>
      <Combobox
        isFree
        groups={groups}
        value={value}
        text={value === '' ? '' : write(value)}
        onType={(text) => {
          setTyped(text)
          setIsTyping(text !== null)
          if (text !== null) onChange(readTimeOfDay(text) ?? '')
        }}
        onChoose={onChange}
        onBlur={() => setIsTyping(false)}
      />
    </Field>
  )
}

/** All half hours and the chosen time. */
function offerTimes(value: string): string[] {
  return [...new Set([...halfHours, ...(value === '' ? [] : [value])])].toSorted()
}

function timeOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
