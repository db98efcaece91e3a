import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { auth } from '../api/auth.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { useSubmit } from './use-submit.ts'

type SecondFactorFormProps = { onSignedIn: () => void; onStartAgain: () => void }

/** The code of an authenticator app, or one of the backup codes. */
export function SecondFactorForm({ onSignedIn, onStartAgain }: SecondFactorFormProps) {
  const { t } = useTranslation('people')
  const [isBackup, setIsBackup] = useState(false)
  const { onSubmit, isPending, error, reset } = useSubmit(
    ({ code = '', trustDevice }) =>
      isBackup
        ? auth.verifyBackupCode({ code: code.trim() })
        : auth.verifyTotp({ code: code.replaceAll(' ', ''), trustDevice: trustDevice === 'on' }),
    onSignedIn,
  )
  // The field appears in place of the password: the person goes on typing in it.
  const focus = useCallback((field: HTMLElement | null) => field?.focus(), [])
  const change = () => {
    reset()
    setIsBackup(!isBackup)
  }
  return (
    <Form onSubmit={onSubmit} className="flex flex-col gap-4">
      {error && <ErrorNotice error={error} />}
      {isBackup ? (
        <Field key="backup" label={t('secondFactor.backupCode')} hint={t('secondFactor.backupHint')}>
          <Input ref={focus} name="code" autoComplete="off" required />
        </Field>
      ) : (
        <>
          <Field key="totp" label={t('secondFactor.code')} hint={t('secondFactor.hint')}>
            <Input
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              pattern="[0-9 ]{6,7}"
              required
              ref={focus}
              className="figures tracking-widest"
            />
          </Field>
          <Checkbox name="trustDevice" label={t('secondFactor.trust')} />
        </>
      )}
      <Button type="submit" variant="primary" isBusy={isPending}>
        {t('signIn.submit')}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="quiet" size="sm" onClick={change}>
          {isBackup ? t('secondFactor.useCode') : t('secondFactor.useBackup')}
        </Button>
        <Button variant="quiet" size="sm" onClick={onStartAgain}>
          {t('secondFactor.startAgain')}
        </Button>
      </div>
    </Form>
  )
}
