import type { TFunction } from 'i18next'
import { useState, type ComponentProps, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldProblems } from '../ui/form/field.tsx'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> & {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
}

/**
 * A form that says itself what is missing, at the field and in the reader's language. The browser would say it in a bubble, in its own
 * language, and only for the first field.
 */
export function Form({ onSubmit, children, ...rest }: FormProps) {
  const { t } = useTranslation('shell')
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const wrong = Array.from(event.currentTarget.elements).filter(isWrong)
    setProblems(Object.fromEntries(wrong.map((control) => [fieldOf(control), describe(control, t)])))
    if (wrong[0] === undefined) return onSubmit(event)
    event.preventDefault()
    wrong[0].focus()
  }
  // What was mended is no longer called wrong.
  const mend = ({ target }: FormEvent<HTMLFormElement>) => {
    if (!(target instanceof HTMLInputElement) || isWrong(target)) return
    const mended = fieldOf(target)
    if (mended in problems) setProblems(Object.fromEntries(Object.entries(problems).filter(([field]) => field !== mended)))
  }
  return (
    <FieldProblems value={problems}>
      <form {...rest} noValidate onSubmit={submit} onInput={mend}>
        {children}
      </form>
    </FieldProblems>
  )
}

function isWrong(control: Element): control is HTMLInputElement {
  return control instanceof HTMLInputElement && control.willValidate && !control.validity.valid && fieldOf(control) !== ''
}

function fieldOf(control: Element): string {
  return control.closest('[data-field]')?.getAttribute('data-field') ?? ''
}

function describe({ validity, type, minLength, validationMessage }: HTMLInputElement, t: TFunction): string {
  if (validity.valueMissing) return t('form.missing')
  if (validity.typeMismatch) return t(type === 'email' ? 'form.email' : 'form.address')
  if (validity.tooShort) return t('form.tooShort', { count: minLength })
  if (validity.patternMismatch) return t('form.pattern')
  return validationMessage
}
