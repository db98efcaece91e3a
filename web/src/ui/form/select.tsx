import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { controlLook } from './input.tsx'
import { popupLook, rowLook } from '../overlay/popup-look.ts'

export type Option<Value extends string> = {
  value: Value
  label: string
  note?: string
  icon?: ReactNode
  /** Why it cannot be chosen. Say it beside the field, too: touch devices do not show it. */
  refusal?: string | undefined
}

type SelectProps<Value extends string> = {
  options: readonly Option<Value>[]
  value?: Value
  defaultValue?: Value
  onChange?: (value: Value) => void
  name?: string
  placeholder?: string
  /** Only without a Field around it. */
  label?: string
  disabled?: boolean
  className?: string
}

/** One choice of a list. It is heavy: do not use it in the shell, on the sign-in page or in the calendar. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, defaultValue, onChange, name, placeholder, label, disabled = false, className = '' } = props
  return (
    <Base.Root<Value>
      items={options.map((option) => ({ value: option.value, label: option.label }))}
      {...(value !== undefined && { value })}
      {...(defaultValue !== undefined && { defaultValue })}
      {...(name !== undefined && { name })}
      disabled={disabled}
      onValueChange={(next) => next !== null && onChange?.(next)}
    >
      <Base.Trigger
        aria-label={label}
        className={`${controlLook} flex min-h-10 items-center justify-between gap-2 text-left pointer-coarse:min-h-11 ${className}`}
      >
        <Base.Value placeholder={placeholder} className="truncate data-placeholder:text-faint" />
        <Base.Icon className="text-faint">
          <ChevronsUpDown className="size-4" aria-hidden />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className={`${popupLook} max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto`}>
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                disabled={option.refusal !== undefined}
                title={option.refusal}
                className={`${rowLook} data-disabled:opacity-55`}
              >
                {option.icon}
                <Base.ItemText className="flex-1">{option.label}</Base.ItemText>
                {option.note !== undefined && <span className="text-sm text-faint">{option.note}</span>}
                <Base.ItemIndicator>
                  <Check className="size-4 text-bell" aria-hidden />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
