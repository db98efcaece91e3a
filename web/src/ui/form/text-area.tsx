import { Field } from '@base-ui/react/field'
import type { ComponentProps } from 'react'
import { controlLook } from './input.tsx'

/** Grows with its text where the browser can do that. */
export function TextArea({ className = '', rows = 3, ...rest }: ComponentProps<'textarea'>) {
  return (
    <Field.Control
      render={<textarea rows={rows} {...rest} className={`${controlLook} field-sizing-content min-h-20 py-2 ${className}`} />}
    />
  )
}
