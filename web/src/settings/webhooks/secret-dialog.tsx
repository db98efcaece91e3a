import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { CopyField } from '../copy-field.tsx'

/** A signing secret is shown once: the server does not give it out again. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('webhooks.secretTitle')}
      description={t('webhooks.secretText')}
      closeLabel={shell('close')}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('webhooks.secretDone')}
        </Button>
      }
    >
      <CopyField label={t('webhooks.secret')} value={secret} />
    </Dialog>
  )
}
