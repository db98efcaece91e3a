import type { MediaFolder } from '@carillon/sdk'
import { Folder, FolderPlus, Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { FolderSelect } from './folder-select.tsx'

const FolderDialog = lazy(async () => ({ default: (await import('./folder-dialog.tsx')).FolderDialog }))
const RemoveFolderDialog = lazy(async () => ({ default: (await import('./folder-dialog.tsx')).RemoveFolderDialog }))

type FolderPaneProps = {
  workspaceId: string
  folders: readonly MediaFolder[]
  /** An id, `none`, or undefined for all files. */
  open: string | undefined
  canChange: boolean
  onOpen: (folder: string | undefined) => void
}

/** The folders beside the files; on narrow pages a select above them. What changes the open folder is beside its name. */
export function FolderPane({ workspaceId, folders, open, canChange, onOpen }: FolderPaneProps) {
  const { t } = useTranslation('media')
  const isWide = useMediaQuery('(width >= 64rem)')
  const [dialog, setDialog] = useState<'create' | 'rename' | 'remove' | null>(null)
  const shown = folders.find(({ id }) => id === open)
  const close = () => setDialog(null)
  if (folders.length === 0 && !canChange) return null
  const buttons = canChange && shown && (
    <span className="flex shrink-0">
      <IconButton label={t('folders.rename', shown)} icon={<Pencil aria-hidden />} onClick={() => setDialog('rename')} />
      <IconButton label={t('folders.remove', shown)} icon={<Trash2 aria-hidden />} onClick={() => setDialog('remove')} />
    </span>
  )
  const create = canChange && (
    <Button size="sm" variant="quiet" icon={<FolderPlus aria-hidden />} onClick={() => setDialog('create')}>
      {t('folders.create')}
    </Button>
  )
  return (
    <>
      {isWide ? (
        <nav aria-label={t('folders.title')} className="flex w-56 shrink-0 flex-col gap-1 self-start">
          <FolderRow name={t('folders.all')} isOpen={open === undefined} onOpen={() => onOpen(undefined)} />
          {folders.length > 0 && <FolderRow name={t('folders.none')} isOpen={open === 'none'} onOpen={() => onOpen('none')} />}
          {folders.map(({ id, name, files }) => (
            <div key={id} className="flex min-w-0 items-center">
              <FolderRow name={name} files={files} isOpen={id === open} onOpen={() => onOpen(id)} />
              {id === open && buttons}
            </div>
          ))}
          <span className="mt-1">{create}</span>
        </nav>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          {folders.length > 0 && (
            <span className="min-w-40 flex-1">
              <FolderSelect folders={folders} value={open} onChange={onOpen} />
            </span>
          )}
          {buttons}
          {create}
        </div>
      )}
      <Suspense>
        {dialog === 'create' && <FolderDialog workspaceId={workspaceId} onClose={close} onSaved={({ id }) => onOpen(id)} />}
        {dialog === 'rename' && shown && <FolderDialog workspaceId={workspaceId} folder={shown} onClose={close} />}
        {dialog === 'remove' && shown && (
          <RemoveFolderDialog workspaceId={workspaceId} folder={shown} onClose={close} onRemoved={() => onOpen(undefined)} />
        )}
      </Suspense>
    </>
  )
}

type FolderRowProps = { name: string; files?: number; isOpen: boolean; onOpen: () => void }

function FolderRow({ name, files, isOpen, onOpen }: FolderRowProps) {
  const { t } = useTranslation('media')
  return (
    <button
      type="button"
      aria-current={isOpen ? 'true' : undefined}
      onClick={onOpen}
      className="flex min-h-9 min-w-0 flex-1 items-center gap-2.5 rounded-control px-2.5 text-left text-base text-quiet hover:bg-hover hover:text-ink aria-[current=true]:bg-hover aria-[current=true]:font-medium aria-[current=true]:text-ink pointer-coarse:min-h-11"
    >
      <Folder aria-hidden className="size-[18px] shrink-0" />
      <span className="min-w-0 flex-1 truncate" title={name}>
        {name}
      </span>
      {files !== undefined && (
        <span className="figures text-sm text-quiet">
          <span aria-hidden>{files}</span>
          <span className="sr-only">{t('count', { count: files })}</span>
        </span>
      )}
    </button>
  )
}
