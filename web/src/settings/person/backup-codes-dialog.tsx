import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { CopyField } from '../copy-field.tsx'

/** The backup codes are shown once. */
export function BackupCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('twoFactor.codes')}
      description={t('twoFactor.codesText')}
      closeLabel={shell('close')}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('twoFactor.codesDone')}
        </Button>
      }
    >
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-control bg-sunken p-4 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyField label={t('twoFactor.codesCopy')} value={codes.join(' ')} />
    </Dialog>
  )
}
