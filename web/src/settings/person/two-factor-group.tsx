import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { account } from '../../api/account.ts'
import { currentPerson } from '../../api/auth.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { BackupCodesDialog } from './backup-codes-dialog.tsx'
import { EnableTotpDialog } from './enable-totp-dialog.tsx'
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
