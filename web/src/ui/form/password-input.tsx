import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { iconButtonLook } from '../icon-button-look.ts'
import { Input } from './input.tsx'

type PasswordInputProps = Omit<ComponentProps<typeof Input>, 'type'> & { showLabel: string; hideLabel: string }

/** A password with a button that shows what was typed. */
export function PasswordInput({ showLabel, hideLabel, ...rest }: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false)
  return (
    <div className="relative">
      <Input {...rest} type={isShown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" className="pr-11" />
      <button
        type="button"
        aria-label={isShown ? hideLabel : showLabel}
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
        className={`${iconButtonLook} absolute inset-y-0 right-0`}
      >
        {isShown ? <EyeOff /> : <Eye />}
      </button>
    </div>
  )
}
