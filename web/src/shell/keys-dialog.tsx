import { useTranslation } from 'react-i18next'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { Keys } from '../ui/keys.tsx'
import { keyGroups } from './key-groups.ts'
import { places } from './places.tsx'
import { useKeyNames } from './use-key-names.ts'
import { commandKey } from './use-shortcuts.ts'

/** All keys, by where they work. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell')
  const everywhere = [
    { keys: [commandKey, 'K'], does: t('search') },
    { keys: ['C'], does: t('compose') },
    ...places.map(({ name, key }) => ({ keys: ['G', key.toUpperCase()], does: t(`places.${name}`) })),
    { keys: ['?'], does: t('keys.title') },
  ]
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} size="lg" title={t('keys.title')} closeLabel={t('close')}>
      <div className="gap-x-8 sm:columns-2">
        <KeyGroup title={t('keys.everywhere')} rows={everywhere} />
        {keyGroups.map(({ name, rows }) => (
          <KeyGroup
            key={name}
            title={t(`keys.${name}`)}
            rows={rows.map(({ keys, does }) => ({ keys, does: t(`keys.does.${does}`) }))}
          />
        ))}
      </div>
    </Dialog>
  )
}

function KeyGroup({ title, rows }: { title: string; rows: readonly { keys: readonly string[]; does: string }[] }) {
  const nameKeys = useKeyNames()
  return (
    <section className="mb-5 break-inside-avoid">
      <h3 className="mb-1 text-sm font-medium text-quiet">{title}</h3>
      <dl className="flex flex-col divide-y divide-line">
        {rows.map(({ keys, does }) => (
          <div key={does} className="flex min-h-9 items-center justify-between gap-4">
            <dt>{does}</dt>
            <dd>
              <Keys keys={nameKeys(keys)} isList />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
