import type { Post } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import {
  Archive,
  ArchiveRestore,
  CalendarClock,
  Copy,
  Ellipsis,
  PenLine,
  RotateCcw,
  Send,
  Trash2,
  Undo2,
  UserCheck,
} from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wallTimeIn } from '../time/zoned-day.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/overlay/menu.tsx'
import { useMay, useNeedsApproval, useWorkspace } from '../workspaces/use-workspace.ts'
import { DeletePostDialog } from './delete-post-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { useMovePost } from './use-move-post.ts'
import type { PostChanges } from './use-post-changes.ts'

const ShareDialog = lazy(async () => ({ default: (await import('../approval/share-dialog.tsx')).ShareDialog }))

type PostActionsProps = { post: Post; changes: PostChanges; onDeleted: () => void }

/** The buttons that fit the status of the post; the rest is in a menu. */
export function PostActions({ post, changes, onDeleted }: PostActionsProps) {
  const { t } = useTranslation(['posts', 'shell'])
  const workspace = useWorkspace()
  const workspaceId = workspace.id
  const zone = post.timezone ?? workspace.timezone
  const { move } = useMovePost()
  const [dialog, setDialog] = useState<'move' | 'delete' | 'publish' | 'share' | null>(null)
  const close = () => setDialog(null)
  const { status, uploadId, archived, scheduledAt } = post
  const failedCount = post.channels.filter(({ result }) => result.status === 'failed').length
  const mayWrite = useMay('editor')
  const needsApproval = useNeedsApproval()
  const isWaiting = post.approval?.state === 'pending'
  if (!mayWrite) return null
  return (
    <>
      {(status === 'draft' || (status === 'scheduled' && !needsApproval)) && (
        <Link
          to="/w/$workspaceId/compose"
          params={{ workspaceId }}
          search={{ draft: uploadId }}
          className={buttonLook({ variant: isWaiting ? 'secondary' : 'primary' })}
        >
          <PenLine aria-hidden />
          {t('edit')}
        </Link>
      )}
      {failedCount > 0 && !needsApproval && (
        <Button
          variant="primary"
          icon={<RotateCcw aria-hidden />}
          isBusy={changes.retry.isPending}
          onClick={() => changes.retry.mutate(undefined)}
        >
          {t('retry.all', { count: failedCount })}
        </Button>
      )}
      {status === 'scheduled' && !needsApproval && (
        <Button icon={<CalendarClock aria-hidden />} onClick={() => setDialog('move')}>
          {t('move.action')}
        </Button>
      )}
      {status === 'draft' && needsApproval && !isWaiting && (
        <Button icon={<Send aria-hidden />} isBusy={changes.submit.isPending} onClick={() => changes.submit.mutate(undefined)}>
          {t('approval.submit')}
        </Button>
      )}
      {(status === 'scheduled' || status === 'draft') && !needsApproval && !isWaiting && (
        <Button icon={<Send aria-hidden />} onClick={() => setDialog('publish')}>
          {t(status === 'draft' && scheduledAt !== null ? 'publish.schedule' : 'publish.action')}
        </Button>
      )}
      <Menu trigger={<IconButton label={t('moreActions')} icon={<Ellipsis aria-hidden />} />}>
        <MenuItem icon={<Copy aria-hidden />} onSelect={() => changes.duplicate.mutate(undefined)}>
          {t('duplicate.action')}
        </MenuItem>
        {status === 'draft' && (
          <MenuItem icon={<UserCheck aria-hidden />} onSelect={() => setDialog('share')}>
            {t('approval.share')}
          </MenuItem>
        )}
        {status === 'scheduled' && (
          <MenuItem icon={<Undo2 aria-hidden />} onSelect={() => changes.unschedule.mutate(undefined)}>
            {t('unschedule.action')}
          </MenuItem>
        )}
        <MenuItem
          icon={archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
          onSelect={() => changes.archive.mutate(!archived)}
        >
          {t(archived ? 'archive.undo' : 'archive.action')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 aria-hidden />} isDangerous onSelect={() => setDialog('delete')}>
          {t('delete.action')}
        </MenuItem>
      </Menu>
      {dialog === 'move' && scheduledAt !== null && (
        <MoveDialog
          wall={wallTimeIn(zone, scheduledAt)}
          zone={zone}
          onClose={close}
          onMove={(wall) => move({ post: { uploadId, at: scheduledAt, timezone: post.timezone }, wall, zone })}
        />
      )}
      {dialog === 'share' && (
        <Suspense>
          <ShareDialog ids={[uploadId]} onClose={close} />
        </Suspense>
      )}
      {dialog === 'delete' && <DeletePostDialog post={post} onClose={close} onDeleted={onDeleted} />}
      <ConfirmDialog
        open={dialog === 'publish'}
        onOpenChange={(open) => !open && close()}
        title={t(status === 'draft' && scheduledAt !== null ? 'publish.scheduleTitle' : 'publish.title')}
        description={t('publish.text', { count: post.channels.length })}
        cancelLabel={t('shell:cancel')}
        confirmLabel={t(status === 'draft' && scheduledAt !== null ? 'publish.schedule' : 'publish.action')}
        isDangerous={false}
        onConfirm={() => {
          close()
          changes.publish.mutate(undefined)
        }}
      />
    </>
  )
}
