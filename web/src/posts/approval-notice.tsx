import type { Post } from '@carillon/sdk'
import { Check, MessageSquareReply, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../time/format-time.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { TextArea } from '../ui/form/text-area.tsx'
import { Notice } from '../ui/notice.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { useMay } from '../workspaces/use-workspace.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import type { PostChanges } from './use-post-changes.ts'
import { useMe } from '../workspaces/use-me.ts'

type ApprovalNoticeProps = { post: Post; changes: PostChanges }

/** Where a post is on its way to be approved, what was said about it, and what this person can decide. */
export function ApprovalNotice({ post, changes }: ApprovalNoticeProps) {
  const { t } = useTranslation('posts')
  const style = useTimeStyle()
  const { approval, status } = post
  const isOver = status !== 'draft' && approval?.state !== 'approved'
  if (!approval?.by || !approval.at || approval.state === 'none' || isOver) return null
  const { state, by, client, comment } = approval
  const values = { name: by.name ?? t('author.former'), when: formatTime(approval.at, 'dayAndTime', style) }
  const kind = state === 'approved' ? 'done' : state === 'pending' ? 'info' : 'warning'
  const isWaiting = state === 'pending' && approval.revision !== null
  return (
    <Notice
      kind={kind}
      title={t(`approval.${state}.title`)}
      {...(isWaiting && { actions: <Decisions changes={changes} revision={approval.revision ?? ''} submittedBy={by} /> })}
    >
      <p>
        {client && state !== 'pending'
          ? t(`approval.${state}.byClient`, { ...values, client: client.name })
          : t(by.apiKeyId === null ? `approval.${state}.by` : `approval.${state}.byKey`, values)}
      </p>
      {comment && <blockquote className="mt-1 border-l-2 border-edge pl-3 whitespace-pre-wrap">{comment}</blockquote>}
    </Notice>
  )
}

type DecisionsProps = {
  changes: PostChanges
  revision: string
  submittedBy: NonNullable<NonNullable<Post['approval']>['by']>
}

/** Four eyes: whoever submitted a post does not approve it, and can take it back. */
function Decisions({ changes, revision, submittedBy }: DecisionsProps) {
  const { t } = useTranslation(['posts', 'shell'])
  const [isAsking, setIsAsking] = useState(false)
  const [comment, setComment] = useState('')
  const [isEmpty, setIsEmpty] = useState(false)
  const me = useMe()
  const isOwn = submittedBy.apiKeyId === null && submittedBy.userId === me?.id
  const mayApprove = useMay('admin') && me !== undefined && !isOwn
  const mayWrite = useMay('editor')
  const ask = () => {
    if (comment.trim() === '') return setIsEmpty(true)
    setIsAsking(false)
    changes.requestChanges.mutate(comment.trim())
  }
  return (
    <>
      {mayApprove && (
        <Button
          variant="primary"
          icon={<Check aria-hidden />}
          isBusy={changes.approve.isPending}
          onClick={() => changes.approve.mutate(revision)}
        >
          {t('approval.approve')}
        </Button>
      )}
      {mayApprove && (
        <Button icon={<MessageSquareReply aria-hidden />} onClick={() => setIsAsking(true)}>
          {t('approval.ask')}
        </Button>
      )}
      {mayWrite && !mayApprove && (
        <Button
          icon={<Undo2 aria-hidden />}
          isBusy={changes.withdraw.isPending}
          onClick={() => changes.withdraw.mutate(undefined)}
        >
          {t('approval.withdraw')}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('approval.askTitle')}
        description={t('approval.askText')}
        cancelLabel={t('shell:cancel')}
        confirmLabel={t('approval.ask')}
        isDangerous={false}
        onConfirm={ask}
      >
        <Field label={t('approval.comment')} error={isEmpty ? t('approval.commentMissing') : undefined}>
          <TextArea value={comment} maxLength={2000} rows={4} onChange={(event) => setComment(event.target.value)} />
        </Field>
      </ConfirmDialog>
    </>
  )
}
