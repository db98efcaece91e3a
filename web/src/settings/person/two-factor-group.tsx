import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { account } from '../../api/account.ts'
import { auth, currentPerson } from '../../api/auth.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { CodeInput } from '../../people/code-input.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CopyField } from '../copy-field.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { ShownOnceDialog } from '../shown-once-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'

type Step = { name: 'enable' | 'disable' | 'renew' } | { name: 'codes'; codes: readonly string[] }

/** The code of an authenticator app as a second factor. */
export function TwoFactorGroup() {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const { data: person } = useQuery(currentPerson())
  const [step, setStep] = useState<Step | null>(null)
  const isOn = person?.twoFactorEnabled === true
  const reload = () => void queryClient.invalidateQueries({ queryKey: currentPerson().queryKey })
  const close = () => setStep(null)
  return (
    <SettingGroup
      title={t('twoFactor.title')}
      description={t('twoFactor.text')}
      actions={
        isOn ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setStep({ name: 'renew' })}>{t('twoFactor.renew')}</Button>
            <Button onClick={() => setStep({ name: 'disable' })}>{t('twoFactor.disable')}</Button>
          </div>
        ) : (
          <Button onClick={() => setStep({ name: 'enable' })}>{t('twoFactor.enable')}</Button>
        )
      }
    >
      <div>
        <Badge tone={isOn ? 'verdigris' : 'neutral'} icon={<ShieldCheck aria-hidden />}>
          {isOn ? t('twoFactor.on') : t('twoFactor.off')}
        </Badge>
      </div>
      {step?.name === 'enable' && (
        <EnableTotpDialog
          onClose={close}
          onEnabled={(codes) => {
            reload()
            setStep({ name: 'codes', codes })
          }}
        />
      )}
      {step?.name === 'renew' && (
        <PasswordDialog
          title={t('twoFactor.renew')}
          text={t('twoFactor.renewText')}
          submit={t('twoFactor.renew')}
          run={account.newBackupCodes}
          onDone={({ backupCodes }) => setStep({ name: 'codes', codes: backupCodes })}
          onClose={close}
        />
      )}
      {step?.name === 'disable' && (
        <PasswordDialog
          title={t('twoFactor.askDisable')}
          text={t('twoFactor.disableText')}
          submit={t('twoFactor.disable')}
          run={account.disableTotp}
          onDone={() => {
            reload()
            close()
          }}
          onClose={close}
        />
      )}
      {step?.name === 'codes' && <BackupCodesDialog codes={step.codes} onClose={close} />}
    </SettingGroup>
  )
}

function BackupCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('settings')
  return (
    <ShownOnceDialog
      title={t('twoFactor.codes')}
      description={t('twoFactor.codesText')}
      doneLabel={t('twoFactor.codesDone')}
      onClose={onClose}
    >
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-control bg-sunken p-4 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyField label={t('twoFactor.codesCopy')} value={codes.join(' ')} />
    </ShownOnceDialog>
  )
}

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

type Started = { totpURI: string; backupCodes: string[] }
type EnableTotpDialogProps = { onEnabled: (backupCodes: readonly string[]) => void; onClose: () => void }

/** First the password, then the code of the app. The second factor is on only after a right code. */
function EnableTotpDialog({ onEnabled, onClose }: EnableTotpDialogProps) {
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
          <CodeInput />
        </Field>
        <Button type="submit" variant="primary" isBusy={isPending} className="self-end">
          {t('twoFactor.confirm')}
        </Button>
      </Form>
    </Dialog>
  )
}
