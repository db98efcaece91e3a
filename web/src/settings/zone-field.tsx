import { useId } from 'react'
import { listZones } from '../time/list-zones.ts'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'

type ZoneFieldProps = {
  label: string
  hint?: string
  defaultValue: string
  error?: string | undefined
  isRequired?: boolean
  placeholder?: string
  disabled?: boolean
}

/** A time zone: typing a city finds it among the browser's suggestions. */
export function ZoneField({
  label,
  hint,
  defaultValue,
  error,
  isRequired = true,
  placeholder,
  disabled = false,
}: ZoneFieldProps) {
  const id = useId()
  return (
    <Field label={label} error={error} {...(hint !== undefined && { hint })}>
      <Input
        name="timezone"
        list={id}
        defaultValue={defaultValue}
        required={isRequired}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        {...(placeholder !== undefined && { placeholder })}
      />
      <datalist id={id}>
        {listZones().map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </datalist>
    </Field>
  )
}
