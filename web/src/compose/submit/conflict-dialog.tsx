import type { Post } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { browserZone, formatTime } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useCompose } from '../compose-context.ts'

type ConflictDialogProps = { theirs: Post; onClose: () => void; onKeepMine: () => void; onTakeTheirs: () => void }

/** Somebody else saved the draft: both versions side by side. Closing it decides nothing. */
export function ConflictDialog({ theirs, onClose, onKeepMine, onTakeTheirs }: ConflictDialogProps) {
  const { t } = useTranslation('compose')
  const style = useTimeStyle()
  const { state } = useCompose()
  const at = formatTime(theirs.updatedAt, 'dayAndTime', { ...style, zone: browserZone() })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={t('conflict.title')}
      description={t('conflict.intro')}
      closeLabel={t('close')}
      actions={
        <>
          <Button onClick={onTakeTheirs}>{t('conflict.takeTheirs')}</Button>
          <Button variant="primary" onClick={onKeepMine}>
            {t('conflict.keepMine')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Version title={t('conflict.mine')} text={state.common.text} accounts={state.accounts} files={state.files.length} />
        <Version
          title={t('conflict.theirs', { time: at })}
          text={theirs.text ?? ''}
          accounts={theirs.channels.map(({ connection }) => connection)}
          files={theirs.medias.length}
        />
      </div>
    </Dialog>
  )
}

type VersionProps = { title: string; text: string; accounts: readonly string[]; files: number }

function Version({ title, text, accounts, files }: VersionProps) {
  const { t } = useTranslation('compose')
  return (
    <section className="flex min-w-0 flex-col gap-2 rounded-card border border-line p-3">
      <h3 className="text-sm font-medium">{title}</h3>
      <p className="max-h-60 overflow-y-auto text-base break-words whitespace-pre-wrap">{text || t('conflict.noText')}</p>
      <p className="text-sm text-quiet">
        {[t('conflict.accounts', { count: accounts.length }), t('conflict.files', { count: files })].join(' · ')}
      </p>
    </section>
  )
}
