import type { Post, PostStatus } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { platformsList, workspacesConnections } from '../api/queries.gen.ts'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

type DeletablePost = { uploadId: string; status: PostStatus } & (Pick<Post, 'channels'> | { connections: readonly string[] })

type DeletePostDialogProps = {
  post: DeletablePost
  onClose: () => void
  onDeleted?: () => void
}

/** Asks before a post is deleted, and whether what is published goes too. */
export function DeletePostDialog({ post, onClose, onDeleted }: DeletePostDialogProps) {
  const { t } = useTranslation(['posts', 'shell'])
  const { id: workspaceId } = useWorkspace()
  const [isUnpublished, setIsUnpublished] = useState(false)
  const isPublished = post.status === 'completed' || post.status === 'partial_failure'
  const { removing, keeping } = usePlatformsOf(post)
  const { mutate, isPending } = useChange({
    run: () => carillon.content.remove(post.uploadId, isUnpublished ? { unpublish: 'true' } : {}, { workspaceId }),
    affects: () => [
      ['content.calendar', workspaceId],
      ['content.list', workspaceId],
      ['workspaces.attention', workspaceId],
    ],
    done: (_input, result) => {
      const left = (result?.channels ?? []).filter(({ outcome }) => outcome === 'failed' || outcome === 'not_supported').length
      return { title: left > 0 ? t('delete.partly', { count: left }) : t('delete.done') }
    },
    onDone: () => {
      onClose()
      onDeleted?.()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('delete.title')}
      description={isPublished ? t(removing ? 'delete.published' : 'delete.publishedStays') : t('delete.text')}
      cancelLabel={t('shell:cancel')}
      confirmLabel={t('delete.confirm')}
      isBusy={isPending}
      onConfirm={() => mutate(undefined)}
    >
      {isPublished && removing && (
        <Checkbox
          label={t('delete.unpublish')}
          note={keeping === '' ? undefined : t('delete.unpublishNote', { platforms: keeping })}
          checked={isUnpublished}
          onChange={setIsUnpublished}
        />
      )}
    </ConfirmDialog>
  )
}

/** Whether a platform of the post lets an app delete posts, and the names of those that do not. */
function usePlatformsOf(post: DeletablePost): { removing: boolean; keeping: string } {
  const { id: workspaceId } = useWorkspace()
  const { data: connections = [] } = useQuery(workspacesConnections(workspaceId))
  const { data: platforms = [] } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY })
  const codes =
    'channels' in post
      ? post.channels.filter(({ result }) => result.status === 'success').map(({ platform }) => platform)
      : connections.filter(({ id }) => post.connections.includes(id)).map(({ platform }) => platform)
  const known = platforms.filter(({ platform }) => codes.includes(platform))
  return {
    // Until they are known it is offered: what a platform refuses is said afterwards.
    removing: known.length === 0 || known.some(({ can }) => can.remove),
    keeping: known.flatMap(({ can, name }) => (can.remove ? [] : name)).join(', '),
  }
}
