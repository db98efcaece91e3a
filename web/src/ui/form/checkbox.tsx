import { Checkbox as Base } from '@base-ui/react/checkbox'
import { Check, Minus } from 'lucide-react'
import { useId, type ReactNode } from 'react'

type CheckboxProps = {
  label: ReactNode
  note?: ReactNode
  checked?: boolean
  defaultChecked?: boolean
  /** Neither: some of what it stands for is chosen. */
  isPartial?: boolean
  /** `event`: what changed it, such as a click with Shift. */
  onChange?: (checked: boolean, event: Event) => void
  name?: string
  disabled?: boolean
  isLabelHidden?: boolean
}

export function Checkbox(props: CheckboxProps) {
  const {
    label,
    note,
    checked,
    defaultChecked,
    isPartial = false,
    onChange,
    name,
    disabled = false,
    isLabelHidden = false,
  } = props
  const id = useId()
  return (
    <div className="flex min-h-6 items-start gap-2.5 pointer-coarse:min-h-11 pointer-coarse:items-center">
      <Base.Root
        id={id}
        {...(checked !== undefined && { checked })}
        {...(defaultChecked !== undefined && { defaultChecked })}
        {...(name !== undefined && { name })}
        indeterminate={isPartial}
        disabled={disabled}
        onCheckedChange={(next, { event }) => onChange?.(next, event)}
        className={[
          'mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-chip border border-edge bg-surface text-on-bell transition-colors',
          'hover:border-quiet data-checked:border-bell data-checked:bg-bell data-indeterminate:border-bell data-indeterminate:bg-bell',
          'data-disabled:opacity-55 relative after:absolute after:-inset-2 after:content-[""]',
        ].join(' ')}
      >
        <Base.Indicator className="[&_svg]:size-3.5">
          {isPartial ? <Minus strokeWidth={3} aria-hidden /> : <Check strokeWidth={3} aria-hidden />}
        </Base.Indicator>
      </Base.Root>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-base'}>
        {label}
        {note !== undefined && <span className="block text-sm text-quiet">{note}</span>}
      </label>
    </div>
  )
}
