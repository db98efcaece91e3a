import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localeOf } from '../i18n/language.ts'
import { browserZone } from '../time/format-time.ts'
import { type Zone, describeZone, findZones, formatOffset, offerZones } from '../time/zones.ts'
import { type Choice, type ChoiceGroup, Combobox } from '../ui/form/combobox.tsx'
import { Field } from '../ui/form/field.tsx'
import { readStoredList, storeList } from '../ui/stored-list.ts'

type ZoneFieldProps = {
  label: string
  hint?: string
  error?: string | null | undefined
  value?: string
  /** For a form that reads its fields when it is sent: it is called `timezone` there. */
  defaultValue?: string
  onChange?: (zone: string) => void
  isRequired?: boolean
  disabled?: boolean
  /** The zone that is meant if the field is empty. */
  emptyMeans?: string
  /** A zone that is offered among the first, beside that of the browser and those that were chosen before. */
  offered?: string
  /** The moment for which offsets are shown, if it is not now. */
  at?: string | undefined
  className?: string
}

/** A time zone, found by its city, its country, another name or its offset. */
export function ZoneField(props: ZoneFieldProps) {
  const { label, hint, error, defaultValue = '', onChange, isRequired = true, disabled = false, emptyMeans, offered } = props
  const { t, i18n } = useTranslation('schedule')
  const [own, setOwn] = useState(defaultValue)
  const [typed, setTyped] = useState<string | null>(null)
  const [openedAt] = useState(() => new Date().toISOString())
  const value = props.value ?? own
  const at = props.at ?? openedAt
  const style = useMemo(() => ({ language: localeOf(i18n.language), at }), [i18n.language, at])
  const groups = useMemo((): ChoiceGroup[] => {
    if (typed !== null && typed.trim() !== '') {
      const found = findZones(typed, style)
      return found.length === 0 ? [] : [{ label: null, choices: found.map(choiceOf) }]
    }
    const preferred = [...readRecentZones(), value, offered ?? '', browserZone()].filter((zone) => zone !== '')
    const { recent, usual } = offerZones(preferred, style)
    return [
      { label: t('zone.recent'), choices: recent.map(choiceOf) },
      { label: t('zone.usual'), choices: usual.map(choiceOf) },
    ]
  }, [typed, style, value, offered, t])
  return (
    <Field label={label} error={error} {...(hint !== undefined && { hint })} className={props.className ?? ''}>
      <Combobox
        {...(props.value === undefined && { name: 'timezone' })}
        groups={groups}
        value={value}
        text={textOf(value, style)}
        onType={setTyped}
        onChoose={(zone) => {
          if (zone !== '') storeRecentZone(zone)
          setOwn(zone)
          onChange?.(zone)
        }}
        canBeEmpty={!isRequired}
        emptyText={t('zone.none')}
        disabled={disabled}
        {...(emptyMeans !== undefined && { placeholder: textOf(emptyMeans, style) })}
      />
    </Field>
  )
}

function choiceOf({ id, city, name, offsetMinutes }: Zone): Choice {
  return { value: id, label: city, aside: formatOffset(offsetMinutes), ...(name !== city && { note: name }) }
}

/** "Tokyo (UTC+9)". A zone that this browser does not know is shown as it is written. */
function textOf(id: string, style: { language: string; at: string }): string {
  const zone = id === '' ? null : describeZone(id, style)
  if (zone === null) return id
  const offset = formatOffset(zone.offsetMinutes)
  return zone.city === offset ? offset : `${zone.city} (${offset})`
}

const key = 'carillon.zones'
const keptMax = 5

/** The zones that were chosen last in this browser, the newest first. */
function readRecentZones(): string[] {
  return readStoredList(key)
}

function storeRecentZone(zone: string): void {
  storeList(key, [zone, ...readRecentZones().filter((each) => each !== zone)].slice(0, keptMax))
}
