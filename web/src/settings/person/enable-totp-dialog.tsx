import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { account } from '../../api/account.ts'
import { auth } from '../../api/auth.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CopyField } from '../copy-field.tsx'
import { PasswordDialog } from './password-dialog.tsx'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

type Started = { totpURI: string; backupCodes: string[] }
type EnableTotpDialogProps = { onEnabled: (backupCodes: readonly string[]) => void; onClose: () => void }

/** First the password, then the code of the app. The second factor is on only after a right code. */
export function EnableTotpDialog({ onEnabled, onClose }: EnableTotpDialogProps) {
  const { t } = useTranslation('settings')
  const [started, setStarted] = useState<Started | null>(null)
  if (started) return <CodeDialog started={started} onEnabled={onEnabled} onClose={onClose} />
  return (
    <PasswordDialog
      title={t('twoFactor.enable')}
      text={t('twoFactor.enableText')}
      submit={t('twoFactor.continue')}
      run={account.enableTotp}
      onDone={setStarted}
      onClose={onClose}
    />
  )
}

function CodeDialog({ started, onEnabled, onClose }: EnableTotpDialogProps & { started: Started }) {
  const { t } = useTranslation('settings')
  const { t: people } = useTranslation('people')
  const { t: shell } = useTranslation('shell')
  const secret = new URL(started.totpURI).searchParams.get('secret') ?? ''
  const { onSubmit, isPending, error } = useSubmit(
    ({ code = '' }) => auth.verifyTotp({ code: code.replaceAll(' ', '') }),
    () => onEnabled(started.backupCodes),
  )
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('twoFactor.scan')}
      description={t('twoFactor.scanText')}
      closeLabel={shell('close')}
    >
      <Suspense fallback={<Skeleton className="size-48 self-center" />}>
        <QrCode text={started.totpURI} label={t('twoFactor.qr')} />
      </Suspense>
      <CopyField label={t('twoFactor.secret')} value={secret} />
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} />}
        <Field label={people('secondFactor.code')} hint={people('secondFactor.hint')}>
          <Input
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9 ]{6,7}"
            required
            className="figures tracking-widest"
          />
        </Field>
        <Button type="submit" variant="primary" isBusy={isPending} className="self-end">
          {t('twoFactor.confirm')}
        </Button>
      </Form>
    </Dialog>
  )
}
