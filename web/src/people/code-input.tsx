import type { ComponentProps } from 'react'
import { Input } from '../ui/form/input.tsx'

/** A field for the code of an authenticator app, named `code`. Apps show it with a space in the middle. */
export function CodeInput(props: Pick<ComponentProps<typeof Input>, 'ref'>) {
  return (
    <Input
      {...props}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9 ]{6,7}"
      required
      className="figures tracking-widest"
    />
  )
}
