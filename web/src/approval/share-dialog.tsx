import type { ApprovalLink } from '@carillon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2Off } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { approvalLinksList } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { useSubmit } from '../people/use-submit.ts'
import { formatTime } from '../time/format-time.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { Notice } from '../ui/notice.tsx'
import { actionsLook, Dialog } from '../ui/overlay/dialog.tsx'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

type ShareDialogProps = {
  /** Drafts, and posts that wait for approval. */
  ids: readonly string[]
  onClose: () => void
}

/** A link for somebody without an account, who approves these posts or asks for changes. */
export function ShareDialog({ ids, onClose }: ShareDialogProps) {
  const { t } = useTranslation('approval')
  const { t: shell } = useTranslation('shell')
  const [made, setMade] = useState<(ApprovalLink & { url: string }) | null>(null)
  const [only] = ids.length === 1 ? ids : []
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('share.title', { count: ids.length })}
      description={t('share.text')}
      closeLabel={shell('close')}
      size="md"
    >
      {made ? <MadeLink link={made} onClose={onClose} /> : <LinkForm ids={ids} onMade={setMade} onClose={onClose} />}
      {only !== undefined && <LinksOfPost id={only} exceptId={made?.id} />}
    </Dialog>
  )
}

type LinkFormProps = ShareDialogProps & { onMade: (link: ApprovalLink & { url: string }) => void }

function LinkForm({ ids, onMade, onClose }: LinkFormProps) {
  const { t } = useTranslation('approval')
  const { t: shell } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ name = '', email = '' }) => {
      const [who, to] = [name.trim(), email.trim()]
      return carillon.approvalLinks.create(
        { posts: [...ids], ...(who && { name: who }), ...(to && { email: to }) },
        { workspaceId },
      )
    },
    (link) => {
      for (const key of ['content.get', 'content.list', 'content.calendar', 'approvalLinks.list'])
        void queryClient.invalidateQueries({ queryKey: [key, workspaceId] })
      onMade(link)
    },
  )
  return (
    <Form onSubmit={onSubmit} className="flex flex-col gap-4">
      {error && <ErrorNotice error={error} hidesDetails={Object.keys(fieldErrors).length > 0} />}
      <Field label={t('share.name')} hint={t('share.nameHint')} aside={t('optional')} error={fieldErrors['name']}>
        <Input name="name" maxLength={60} autoComplete="off" />
      </Field>
      <Field label={t('share.email')} hint={t('share.emailHint')} aside={t('optional')} error={fieldErrors['email']}>
        <Input name="email" type="email" maxLength={254} autoComplete="off" />
      </Field>
      <div className={actionsLook}>
        <Button onClick={onClose}>{shell('cancel')}</Button>
        <Button type="submit" variant="primary" isBusy={isPending}>
          {t('share.make')}
        </Button>
      </div>
    </Form>
  )
}

function MadeLink({ link, onClose }: { link: ApprovalLink & { url: string }; onClose: () => void }) {
  const { t } = useTranslation('approval')
  const { t: shell } = useTranslation('shell')
  const style = useTimeStyle()
  const until = formatTime(link.expiresAt, 'dayAndTime', style)
  return (
    <div className="flex flex-col gap-4">
      {link.mailed ? (
        <Notice kind="done" title={t('share.mailed', { email: link.email })} />
      ) : (
        link.email !== null && <Notice kind="warning" title={t('share.notMailed')} />
      )}
      {!link.decides && (
        <Notice kind="warning" title={t('share.needsAccount')}>
          <p>{t('share.needsAccountText')}</p>
        </Notice>
      )}
      <CopyText label={t('share.address')} text={link.url} copyLabel={t('share.copy')} copiedLabel={t('share.copied')} />
      <p className="text-sm text-quiet">{t('share.once', { until })}</p>
      <div className={actionsLook}>
        <Button variant="primary" onClick={onClose}>
          {shell('close')}
        </Button>
      </div>
    </div>
  )
}

/** The links that show this post and work still, without their addresses. */
function LinksOfPost({ id, exceptId }: { id: string; exceptId: string | undefined }) {
  const { t } = useTranslation('approval')
  const { id: workspaceId } = useWorkspace()
  const style = useTimeStyle()
  const { data = [] } = useQuery(approvalLinksList(workspaceId, { post: id }))
  const { mutate: revoke, isPending } = useChange({
    run: (linkId: string) => carillon.approvalLinks.remove(linkId, { workspaceId }),
    affects: () => [['approvalLinks.list', workspaceId]],
    done: () => ({ title: t('links.revoked') }),
  })
  const [openedAtMs] = useState(() => Date.now())
  const links = data.filter((link) => link.revokedAt === null && Date.parse(link.expiresAt) > openedAtMs && link.id !== exceptId)
  if (links.length === 0) return null
  return (
    <section aria-labelledby="links-title" className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 id="links-title" className="text-sm font-medium">
        {t('links.title')}
      </h3>
      <ul className="flex flex-col gap-2">
        {links.map((link) => (
          <li key={link.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className="min-w-0 text-sm">
              <span className="break-words">{link.name ?? link.email ?? t('links.anybody')}</span>
              <span className="block text-quiet">
                {t('links.madeBy', { name: link.createdBy.name ?? '–', until: formatTime(link.expiresAt, 'dayAndTime', style) })}
              </span>
            </span>
            <Button size="sm" icon={<Link2Off aria-hidden />} disabled={isPending} onClick={() => revoke(link.id)}>
              {t('links.revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
