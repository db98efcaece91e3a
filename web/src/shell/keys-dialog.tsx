import { useTranslation } from 'react-i18next'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { Keys } from '../ui/keys.tsx'
import { places } from './places.tsx'
import { commandKey } from './use-shortcuts.ts'

/** All keys that work everywhere. Pages describe their own in their menus. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell')
  const rows = [
    { keys: [commandKey, 'K'], does: t('search') },
    { keys: ['C'], does: t('compose') },
    ...places.map(({ name, key }) => ({ keys: ['G', key.toUpperCase()], does: t(`places.${name}`) })),
    { keys: ['?'], does: t('keys.title') },
  ]
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('keys.title')} closeLabel={t('close')}>
      <dl className="flex flex-col divide-y divide-line">
        {rows.map(({ keys, does }) => (
          <div key={does} className="flex min-h-10 items-center justify-between gap-4">
            <dt>{does}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
