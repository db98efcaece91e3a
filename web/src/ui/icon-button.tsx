import type { ComponentProps, ReactNode } from 'react'
import { Tooltip } from './overlay/tooltip.tsx'

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** The name for screen readers; it is also shown as a tooltip. */
  label: string
  icon: ReactNode
}

/** A square button with a drawing only. */
export function IconButton({ label, icon, className = '', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button type="button" {...rest} aria-label={label} className={`${iconButtonLook} ${className}`}>
        {icon}
      </button>
    </Tooltip>
  )
}

export const iconButtonLook = [
  'inline-flex size-10 items-center justify-center rounded-control text-quiet transition-colors hover:bg-hover hover:text-ink',
  'pointer-coarse:size-11 disabled:opacity-55 [&_svg]:size-[18px]',
].join(' ')
