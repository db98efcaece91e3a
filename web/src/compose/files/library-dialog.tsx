import type { Media } from '@carillon/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaListPages } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { FileTile } from '../../media/file-tile.tsx'
import { FolderSelect } from '../../media/folders/folder-select.tsx'
import { useFolders } from '../../media/folders/use-folders.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useCompose } from '../compose-context.ts'

type LibraryDialogProps = { onClose: () => void; onChoose: (medias: readonly Media[]) => void }

/** Chooses files that were uploaded before. */
export function LibraryDialog({ onClose, onChoose }: LibraryDialogProps) {
  const { t } = useTranslation('compose')
  const { workspaceId } = useCompose()
  const folders = useFolders(workspaceId)
  const [folder, setFolder] = useState<string>()
  const { data, error, refetch, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery(
    mediaListPages(workspaceId, { limit: 24, ...(folder !== undefined && { folder }) }),
  )
  // The files themselves: those of another folder are not in the list that is shown.
  const [chosen, setChosen] = useState<readonly Media[]>([])
  const medias = data?.pages.flatMap(({ results }) => results) ?? []
  const isChosen = ({ id }: Media) => chosen.some((each) => each.id === id)
  const toggle = (media: Media) => setChosen(isChosen(media) ? chosen.filter(({ id }) => id !== media.id) : [...chosen, media])
  const choose = () => {
    onChoose(chosen)
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={t('library.title')}
      closeLabel={t('close')}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" disabled={chosen.length === 0} onClick={choose}>
            {t('library.choose', { count: chosen.length })}
          </Button>
        </>
      }
    >
      {folders.length > 0 && (
        <div className="pb-3 sm:max-w-64">
          <FolderSelect folders={folders} value={folder} onChange={setFolder} />
        </div>
      )}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <SkeletonLines label={t('loading')} />}
      {data && medias.length === 0 && <p className="py-6 text-center text-quiet">{t('library.empty')}</p>}
      <ul className="grid grid-cols-3 gap-2 sm:grid-cols-5">
        {medias.map((media) => (
          <LibraryTile key={media.id} media={media} isChosen={isChosen(media)} onToggle={() => toggle(media)} />
        ))}
      </ul>
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('library.more')}</Button>}
    </Dialog>
  )
}

function LibraryTile({ media, isChosen, onToggle }: { media: Media; isChosen: boolean; onToggle: () => void }) {
  const { workspaceId } = useCompose()
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onToggle}
        className={`relative flex aspect-square w-full items-center justify-center overflow-hidden rounded-control border-2 bg-sunken p-0.5 text-xs ${isChosen ? 'border-bell' : 'border-transparent'}`}
      >
        {media.thumbnailUrl === null ? (
          <FileTile type={media.type} name={media.name} pages={media.pages} className="size-full rounded-chip" />
        ) : (
          <img
            src={`/api/workspaces/${workspaceId}/media/${media.id}/thumbnail`}
            alt={media.alt || media.name}
            loading="lazy"
            className="size-full rounded-chip object-cover"
          />
        )}
        {isChosen && (
          <span className="absolute top-1 right-1 flex size-5 items-center justify-center rounded-full bg-bell text-on-bell">
            <Check className="size-3.5" strokeWidth={3} aria-hidden />
          </span>
        )}
      </button>
    </li>
  )
}
