import { Input as Base } from '@base-ui/react/input'
import type { ComponentProps } from 'react'

/** Text is 16 px on touch devices: iOS zooms into smaller fields. */
export const controlLook = [
  'w-full min-w-0 rounded-control border border-edge bg-surface px-3 text-base text-ink placeholder:text-faint transition-colors',
  'hover:border-quiet focus:border-bell focus:outline-2 focus:outline-offset-0 focus:outline-bell',
  'data-invalid:border-rust disabled:opacity-55 pointer-coarse:text-[1rem]',
].join(' ')

type InputProps = Omit<ComponentProps<typeof Base>, 'className'> & { className?: string }

export function Input({ className = '', ...rest }: InputProps) {
  return <Base {...rest} className={`${controlLook} min-h-10 pointer-coarse:min-h-11 ${className}`} />
}
