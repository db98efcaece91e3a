import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fingerprint, KeyRound } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { auth, signInMethods } from '../api/auth.ts'
import { canUsePasskeys, signInWithPasskey } from '../api/passkeys.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { PasswordInput } from '../ui/form/password-input.tsx'
import { CodeInput } from './code-input.tsx'
import { useSubmit } from './use-submit.ts'

type SignInFormProps = {
  onSignedIn: () => void
  /** Where the identity provider sends the person afterwards. */
  next?: string
}

/** Address and password, then the second factor if there is one; or a passkey; or the identity provider. */
export function SignInForm({ onSignedIn, next = '/' }: SignInFormProps) {
  const [needsSecondFactor, setNeedsSecondFactor] = useState(false)
  if (needsSecondFactor) return <SecondFactorForm onSignedIn={onSignedIn} onStartAgain={() => setNeedsSecondFactor(false)} />
  return (
    <div className="flex flex-col gap-5">
      <PasswordForm onSignedIn={onSignedIn} onSecondFactor={() => setNeedsSecondFactor(true)} />
      <OtherWays onSignedIn={onSignedIn} next={next} />
    </div>
  )
}

function PasswordForm({ onSignedIn, onSecondFactor }: { onSignedIn: () => void; onSecondFactor: () => void }) {
  const { t } = useTranslation('people')
  const { onSubmit, isPending, error } = useSubmit(
    ({ email = '', password = '' }) => auth.signIn({ email, password, rememberMe: true }),
    ({ twoFactorRedirect }) => (twoFactorRedirect ? onSecondFactor() : onSignedIn()),
  )
  return (
    <Form onSubmit={onSubmit} className="flex flex-col gap-4">
      {error && <ErrorNotice error={error} />}
      <Field label={t('fields.email')}>
        <Input name="email" type="email" autoComplete="username" required />
      </Field>
      <Field label={t('fields.password')} aside={<Link to="/forgot">{t('signIn.forgot')}</Link>}>
        <PasswordInput
          name="password"
          autoComplete="current-password"
          required
          showLabel={t('fields.showPassword')}
          hideLabel={t('fields.hidePassword')}
        />
      </Field>
      <Button type="submit" variant="primary" isBusy={isPending}>
        {t('signIn.submit')}
      </Button>
    </Form>
  )
}

function OtherWays({ onSignedIn, next }: { onSignedIn: () => void; next: string }) {
  const { t } = useTranslation('people')
  const { data: methods } = useQuery(signInMethods())
  const passkey = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: onSignedIn })
  const oidc = useMutation({
    mutationFn: (provider: string) => auth.startOidc(provider, next),
    onSuccess: ({ url }) => location.assign(url),
  })
  const hasPasskeys = methods?.passkey === true && canUsePasskeys()
  const provider = methods?.oidc ?? null
  if (!hasPasskeys && !provider) return null
  const error = passkey.error ?? oidc.error
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3 text-sm text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('signIn.or')}
      </div>
      {error && <ErrorNotice error={error} />}
      {hasPasskeys && (
        <Button icon={<Fingerprint aria-hidden />} isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
          {t('signIn.passkey')}
        </Button>
      )}
      {provider && (
        <Button icon={<KeyRound aria-hidden />} isBusy={oidc.isPending} onClick={() => oidc.mutate(provider.provider)}>
          {t('signIn.oidc', { name: provider.name })}
        </Button>
      )}
    </div>
  )
}

type SecondFactorFormProps = { onSignedIn: () => void; onStartAgain: () => void }

/** The code of an authenticator app, or one of the backup codes. */
function SecondFactorForm({ onSignedIn, onStartAgain }: SecondFactorFormProps) {
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
            <CodeInput ref={focus} />
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
