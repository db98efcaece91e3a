import { useTranslation } from 'react-i18next'
import { CopyField } from '../copy-field.tsx'
import { ShownOnceDialog } from '../shown-once-dialog.tsx'

export function BackupCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
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
