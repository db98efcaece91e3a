import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaGet } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { MediaDetails } from './media-details.tsx'
import { RemoveMediaDialog } from './remove-media-dialog.tsx'

type MediaDialogProps = { workspaceId: string; mediaId: string; canChange: boolean; onClose: () => void }

/** Everything about one file: what it shows, where it is used, and how it is described. */
export function MediaDialog({ workspaceId, mediaId, canChange, onClose }: MediaDialogProps) {
  const { t } = useTranslation('media')
  const { t: shell } = useTranslation('shell')
  const { data: media, error, refetch } = useQuery(mediaGet(workspaceId, mediaId))
  const [isRemoving, setIsRemoving] = useState(false)
  return (
    <>
      <Dialog
        open
        size="lg"
        onOpenChange={(isOpen) => !isOpen && onClose()}
        title={media?.name ?? t('details.title')}
        closeLabel={shell('close')}
      >
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!media && !error && <SkeletonLines label={t('loading')} count={6} />}
        {media && (
          <MediaDetails
            key={media.id}
            media={media}
            workspaceId={workspaceId}
            canChange={canChange}
            onSaved={onClose}
            onRemove={() => setIsRemoving(true)}
          />
        )}
      </Dialog>
      {media && isRemoving && (
        <RemoveMediaDialog
          media={media}
          workspaceId={workspaceId}
          onClose={() => setIsRemoving(false)}
          onRemoved={() => {
            setIsRemoving(false)
            onClose()
          }}
        />
      )}
    </>
  )
}
