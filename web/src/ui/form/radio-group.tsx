import { Radio } from '@base-ui/react/radio'
import { RadioGroup as Base } from '@base-ui/react/radio-group'
import type { ReactNode } from 'react'

type Choice<Value extends string> = { value: Value; label: string; note?: ReactNode; disabled?: boolean }

type RadioGroupProps<Value extends string> = {
  /** The name of the group for screen readers. */
  label: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
  className?: string
}

export function RadioGroup<Value extends string>({ label, choices, value, onChange, className = '' }: RadioGroupProps<Value>) {
  return (
    <Base
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next)}
      className={`flex flex-col gap-1 ${className}`}
    >
      {choices.map((choice) => (
        <label key={choice.value} className="flex min-h-9 items-start gap-2.5 py-1.5 pointer-coarse:min-h-11">
          <Radio.Root
            value={choice.value}
            disabled={choice.disabled ?? false}
            className={[
              'mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full border border-edge bg-surface',
              'data-checked:border-bell data-disabled:opacity-55',
            ].join(' ')}
          >
            <Radio.Indicator className="size-2.5 rounded-full bg-bell" />
          </Radio.Root>
          <span className="text-base">
            {choice.label}
            {choice.note !== undefined && <span className="block text-sm text-quiet">{choice.note}</span>}
          </span>
        </label>
      ))}
    </Base>
  )
}
