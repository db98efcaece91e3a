import { Switch as Base } from '@base-ui/react/switch'
import { useId, type ReactNode } from 'react'

type SwitchProps = {
  label: string
  note?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** For what takes effect at once. A choice that is sent with a form is a Checkbox. */
export function Switch({ label, note, checked, onChange, disabled = false }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <label htmlFor={id} className="text-base">
        {label}
        {note !== undefined && <span className="block text-sm text-quiet">{note}</span>}
      </label>
      <Base.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={(next) => onChange(next)}
        className={[
          'relative flex h-6 w-10 shrink-0 items-center rounded-full border border-edge bg-sunken px-0.5 transition-colors',
          'data-checked:border-bell data-checked:bg-bell data-disabled:opacity-55',
        ].join(' ')}
      >
        <Base.Thumb className="size-4.5 rounded-full bg-edge transition-transform data-checked:translate-x-4 data-checked:bg-on-bell" />
      </Base.Root>
    </div>
  )
}
