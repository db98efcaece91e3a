import { useTranslation } from 'react-i18next'
import { CopyField } from '../copy-field.tsx'
import { ShownOnceDialog } from '../shown-once-dialog.tsx'

/** The signing secret of a webhook. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation('settings')
  return (
    <ShownOnceDialog
      title={t('webhooks.secretTitle')}
      description={t('webhooks.secretText')}
      doneLabel={t('webhooks.secretDone')}
      onClose={onClose}
    >
      <CopyField label={t('webhooks.secret')} value={secret} />
    </ShownOnceDialog>
  )
}
