import type { ComponentProps, ReactNode } from 'react'
import { iconButtonLook } from './icon-button-look.ts'
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
