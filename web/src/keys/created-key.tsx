import type { ApiKey } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { Notice } from '../ui/notice.tsx'

/** The complete key. The server has only its hash, so it cannot be shown again. */
export function CreatedKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { t } = useTranslation('keys')
  return (
    <div className="flex flex-col gap-4">
      <Notice kind="warning" title={t('created.once')}>
        {t('created.keep')}
      </Notice>
      <CopyText label={t('created.key')} text={apiKey.key ?? ''} copyLabel={t('copy')} copiedLabel={t('copied')} />
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          {t('created.close')}
        </Button>
      </div>
    </div>
  )
}
