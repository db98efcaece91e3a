import { cva } from 'class-variance-authority'
import type { ComponentProps, ReactNode } from 'react'
import { Spinner } from './spinner.tsx'

type Looks = { variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined; size?: 'md' | 'sm' | undefined }

/** The looks of a button, for a link that must look like one: `<Link className={buttonLook({ variant: 'primary' })}>`. */
export const buttonLook: (looks: Looks & { className?: string | undefined }) => string = cva(
  [
    'inline-flex items-center justify-center gap-2 whitespace-nowrap rounded-control border font-medium no-underline select-none',
    'transition-colors disabled:opacity-55 disabled:cursor-default aria-disabled:opacity-55 [&_svg]:size-[18px] [&_svg]:shrink-0',
  ],
  {
    variants: {
      variant: {
        primary: 'border-transparent bg-bell text-on-bell not-disabled:hover:bg-bell-strong',
        secondary: 'border-edge bg-surface text-ink not-disabled:hover:bg-hover',
        quiet: 'border-transparent bg-transparent text-quiet not-disabled:hover:bg-hover not-disabled:hover:text-ink',
        danger: 'border-transparent bg-rust text-on-rust not-disabled:hover:opacity-90',
      },
      size: {
        md: 'min-h-10 px-4 text-base pointer-coarse:min-h-11',
        sm: 'min-h-8 px-2.5 text-sm pointer-coarse:min-h-11',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
)

export type ButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  Looks & {
    children: ReactNode
    icon?: ReactNode
    /** Shows that the action is under way, and ignores further clicks. */
    isBusy?: boolean | undefined
  }

export function Button({
  variant,
  size,
  icon,
  isBusy = false,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type
      type={type}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={buttonLook({ variant, size, className })}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
    </button>
  )
}
