import { Field as Base } from '@base-ui/react/field'
import { createContext, use, useId, type ReactNode } from 'react'

/** What a form says about its fields before it is sent, by their `data-field`. */
export const FieldProblems = createContext<Readonly<Record<string, string>>>({})

type FieldProps = {
  label: string
  name?: string | undefined
  /** A sentence under the field that helps to fill it in. */
  hint?: ReactNode
  /** Why the value cannot be accepted. */
  error?: string | null | undefined
  /** The value cannot be accepted, and another place says why. */
  isInvalid?: boolean
  /** Beside the label: "optional", a counter, a link. */
  aside?: ReactNode
  isLabelHidden?: boolean
  className?: string
  /** One control of this folder: Input, TextArea, Select. */
  children: ReactNode
}

/** A label, a control, and what is said about it. The texts are connected with the control for screen readers. */
export function Field(props: FieldProps) {
  const { label, name, hint, error, isInvalid = false, aside, isLabelHidden = false, className = '', children } = props
  const id = useId()
  const problem = use(FieldProblems)[id] ?? error
  return (
    <Base.Root
      data-field={id}
      invalid={isInvalid || Boolean(problem)}
      name={name}
      className={`flex min-w-0 flex-col gap-1.5 ${className}`}
    >
      <div className={isLabelHidden ? 'sr-only' : 'flex items-baseline justify-between gap-3'}>
        <Base.Label className="text-sm font-medium text-ink">{label}</Base.Label>
        {aside !== undefined && <span className="text-xs text-faint">{aside}</span>}
      </div>
      {children}
      {hint !== undefined && <Base.Description className="text-sm text-quiet">{hint}</Base.Description>}
      {problem && (
        <Base.Error match className="text-sm font-medium text-rust">
          {problem}
        </Base.Error>
      )}
    </Base.Root>
  )
}
