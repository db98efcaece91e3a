import type { Post, PostComment } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { commentsList } from '../api/queries.gen.ts'
import { formatTime } from '../time/format-time.ts'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { useMe } from '../workspaces/use-me.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { CommentForm } from './comment-form.tsx'

type Decision = NonNullable<NonNullable<Post['approval']>['history']>[number]
type Entry = { at: string; decision: Decision } | { at: string; comment: PostComment }

/** What was decided and said about a post, in the order of time, and a field to say something. */
export function Discussion({ post }: { post: Post }) {
  const { t } = useTranslation('approval')
  const { id: workspaceId } = useWorkspace()
  const { data: comments = [] } = useQuery(commentsList(workspaceId, post.uploadId))
  const entries: Entry[] = [
    ...(post.approval?.history ?? []).map((decision) => ({ at: decision.at, decision })),
    ...comments.map((comment) => ({ at: comment.createdAt, comment })),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return (
    <section aria-labelledby="discussion-title" className="flex max-w-3xl flex-col gap-4">
      <h2 id="discussion-title" className="font-serif text-xl">
        {t('discussion')}
      </h2>
      {entries.length > 0 && (
        <ol className="flex flex-col gap-4 border-l-2 border-line pl-4">
          {entries.map((entry) =>
            'comment' in entry ? (
              <CommentEntry key={entry.comment.id} postId={post.uploadId} comment={entry.comment} />
            ) : (
              <DecisionEntry key={`${entry.at} ${entry.decision.action}`} decision={entry.decision} />
            ),
          )}
        </ol>
      )}
      <CommentForm postId={post.uploadId} />
    </section>
  )
}

function DecisionEntry({ decision: { action, by, client, at, comment } }: { decision: Decision }) {
  const { t } = useTranslation('approval')
  const style = useTimeStyle()
  const maker = by.name ?? t('former')
  const name = client ? t('clientBy', { name: client.name, maker }) : by.apiKeyId ? t('withKey', { name: maker }) : maker
  return (
    <li className="flex flex-col gap-1">
      <p className="text-sm text-quiet">
        {t(`decided.${action}`, { name })}{' '}
        <span className="figures whitespace-nowrap">{formatTime(at, 'dayAndTime', style)}</span>
      </p>
      {comment && <p className="break-words whitespace-pre-wrap">{comment}</p>}
    </li>
  )
}

function CommentEntry({ postId, comment }: { postId: string; comment: PostComment }) {
  const { t } = useTranslation('approval')
  const { t: shell } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const style = useTimeStyle()
  const me = useMe()
  const isOwn = comment.by !== null && comment.by.userId === me?.id
  const mayDelete = useMay('admin') || isOwn
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const { mutate: remove } = useChange({
    run: () => carillon.comments.remove(postId, comment.id, { workspaceId }),
    affects: () => [['comments.list', workspaceId, postId]],
    done: () => ({ title: t('comment.deleted') }),
  })
  const { by, client, audience, createdAt, editedAt, text, mentions } = comment
  const person = by?.name ?? t('former')
  const name = client ? t('client', { name: client.name }) : by?.apiKeyId ? t('withKey', { name: person }) : person
  if (dialog === 'edit')
    return (
      <li>
        <CommentForm postId={postId} comment={comment} onDone={() => setDialog(null)} />
      </li>
    )
  return (
    <li className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-quiet">
        <span className="font-medium text-ink">{name}</span>
        <span className="figures">{formatTime(createdAt, 'dayAndTime', style)}</span>
        {editedAt !== null && <span>{t('comment.edited')}</span>}
        {audience === 'client' && <Badge>{t('comment.forClient')}</Badge>}
        <span className="ml-auto flex">
          {isOwn && <IconButton label={t('comment.edit')} icon={<Pencil aria-hidden />} onClick={() => setDialog('edit')} />}
          {mayDelete && (
            <IconButton label={t('comment.delete')} icon={<Trash2 aria-hidden />} onClick={() => setDialog('delete')} />
          )}
        </span>
      </div>
      <p className="break-words whitespace-pre-wrap">{text}</p>
      {mentions.length > 0 && (
        <p className="text-sm text-quiet">
          {t('comment.mentions', { names: mentions.map((each) => each.name ?? t('former')).join(', ') })}
        </p>
      )}
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={(open) => !open && setDialog(null)}
        title={t('comment.deleteTitle')}
        description={t('comment.deleteText')}
        cancelLabel={shell('cancel')}
        confirmLabel={t('comment.delete')}
        onConfirm={() => {
          setDialog(null)
          remove(undefined)
        }}
      />
    </li>
  )
}
