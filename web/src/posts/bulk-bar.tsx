import type { BulkResult, Post } from '@carillon/sdk'
import { Archive, ArchiveRestore, CalendarClock, RotateCcw, Trash2, UserCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { BulkLabels } from '../labels/bulk-labels.tsx'
import { describeCode } from '../errors/describe-error.ts'
import { addDays, todayIn } from '../time/zoned-day.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { MoveDialog } from './move-dialog.tsx'

const ShareDialog = lazy(async () => ({ default: (await import('../approval/share-dialog.tsx')).ShareDialog }))

type BulkAction = { kind: 'retry' | 'archive' | 'unarchive' | 'delete' | 'reschedule'; ids: string[]; wall?: string }

/** The server takes at most this many ids in a request. */
const idsMax = 100
/** And at most this many behind one link. */
const shareMax = 50

/** What can be done with all chosen posts. Each button acts on those of them that it fits. */
export function BulkBar({ posts, onDone }: { posts: readonly Post[]; onDone: () => void }) {
  const { t } = useTranslation(['posts', 'shell'])
  const { t: tList } = useTranslation('list')
  const { t: tErrors } = useTranslation('errors')
  const { id: workspaceId, timezone: zone } = useWorkspace()
  const mayWrite = useMay('editor')
  const [dialog, setDialog] = useState<'move' | 'delete' | 'share' | null>(null)
  const { mutate, isPending } = useChange({
    run: async (action: BulkAction) => {
      const results: BulkResult[] = []
      for (let at = 0; at < action.ids.length; at += idsMax)
        results.push(await send(action, action.ids.slice(at, at + idsMax), { workspaceId, zone }))
      return results
    },
    affects: () => [
      ['content.list', workspaceId],
      ['content.get', workspaceId],
      ['content.calendar', workspaceId],
      ['workspaces.attention', workspaceId],
    ],
    onDone: (results, { kind }) => {
      const failed = results.flatMap((result) => result.failed)
      const count = results.reduce((sum, { succeeded }) => sum + succeeded, 0)
      const [first] = failed
      if (first)
        showToast({
          kind: 'failed',
          title: tList('bulk.partly', { count: failed.length, done: count }),
          description: describeCode(first.code, first.message, tErrors).title,
        })
      else showToast({ title: tList(`bulk.done.${kind}`, { count }) })
      onDone()
    },
  })
  if (!mayWrite) return null
  const idsOf = (fits: (post: Post) => boolean) => posts.filter(fits).map(({ uploadId }) => uploadId)
  const failed = idsOf(({ status }) => status === 'failed' || status === 'partial_failure')
  const scheduled = idsOf(({ status }) => status === 'scheduled')
  const drafts = idsOf(({ status }) => status === 'draft')
  const archived = idsOf((post) => post.archived)
  const others = idsOf((post) => !post.archived)
  const all = idsOf(() => true)
  return (
    <fieldset aria-label={tList('bulk.label')} className="flex flex-wrap gap-2">
      {failed.length > 0 && (
        <Button
          size="sm"
          icon={<RotateCcw aria-hidden />}
          disabled={isPending}
          onClick={() => mutate({ kind: 'retry', ids: failed })}
        >
          {tList('bulk.retry', { count: failed.length })}
        </Button>
      )}
      {scheduled.length > 0 && (
        <Button size="sm" icon={<CalendarClock aria-hidden />} disabled={isPending} onClick={() => setDialog('move')}>
          {tList('bulk.reschedule', { count: scheduled.length })}
        </Button>
      )}
      {drafts.length > 0 && drafts.length <= shareMax && (
        <Button size="sm" icon={<UserCheck aria-hidden />} disabled={isPending} onClick={() => setDialog('share')}>
          {tList('bulk.share', { count: drafts.length })}
        </Button>
      )}
      <BulkLabels posts={posts} />
      {others.length > 0 && (
        <Button
          size="sm"
          icon={<Archive aria-hidden />}
          disabled={isPending}
          onClick={() => mutate({ kind: 'archive', ids: others })}
        >
          {tList('bulk.archive', { count: others.length })}
        </Button>
      )}
      {archived.length > 0 && (
        <Button
          size="sm"
          icon={<ArchiveRestore aria-hidden />}
          disabled={isPending}
          onClick={() => mutate({ kind: 'unarchive', ids: archived })}
        >
          {tList('bulk.unarchive', { count: archived.length })}
        </Button>
      )}
      <Button size="sm" icon={<Trash2 aria-hidden />} disabled={isPending} onClick={() => setDialog('delete')}>
        {tList('bulk.delete', { count: all.length })}
      </Button>
      {dialog === 'share' && (
        <Suspense>
          <ShareDialog ids={drafts} onClose={() => setDialog(null)} />
        </Suspense>
      )}
      {dialog === 'move' && (
        <MoveDialog
          wall={`${addDays(todayIn(zone), 1)}T09:00`}
          zone={zone}
          count={scheduled.length}
          onClose={() => setDialog(null)}
          onMove={(wall) => mutate({ kind: 'reschedule', ids: scheduled, wall })}
        />
      )}
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={(open) => !open && setDialog(null)}
        title={tList('bulk.deleteTitle', { count: all.length })}
        description={tList('bulk.deleteText')}
        cancelLabel={t('shell:cancel')}
        confirmLabel={t('delete.confirm')}
        onConfirm={() => {
          setDialog(null)
          mutate({ kind: 'delete', ids: all })
        }}
      />
    </fieldset>
  )
}

function send(
  action: BulkAction,
  ids: string[],
  { workspaceId, zone }: { workspaceId: string; zone: string },
): Promise<BulkResult> {
  const { content } = carillon
  const options = { workspaceId }
  if (action.kind === 'retry') return content.bulkRetry({ ids }, options)
  if (action.kind === 'archive') return content.bulkArchive({ ids }, options)
  if (action.kind === 'unarchive') return content.bulkUnarchive({ ids }, options)
  if (action.kind === 'delete') return content.bulkDelete({ ids }, options)
  return content.bulkReschedule({ ids, scheduledAt: action.wall ?? '', timezone: zone }, options)
}
