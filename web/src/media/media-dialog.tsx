import { CarillonError, type Media } from '@carillon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { mediaGet } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { localeOf } from '../i18n/language.ts'
import { useSubmit } from '../people/use-submit.ts'
import { formatTime } from '../time/format-time.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { TextArea } from '../ui/form/text-area.tsx'
import { Notice } from '../ui/notice.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { FileTile } from './file-tile.tsx'
import { formatSize } from './format-size.ts'
import { PostsUsing } from './posts-using.tsx'
import { Thumbnail } from './thumbnail.tsx'

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

type RemoveMediaDialogProps = { media: Media; workspaceId: string; onClose: () => void; onRemoved: () => void }

/** Says which posts use the file. A post that may still be published is mentioned by the server, and then a second yes is needed. */
function RemoveMediaDialog({ media, workspaceId, onClose, onRemoved }: RemoveMediaDialogProps) {
  const { t } = useTranslation('media')
  const { t: shell } = useTranslation('shell')
  const { mutate, isPending, error } = useChange({
    run: (force: boolean) => carillon.media.remove(media.id, force ? { force: 'true' } : {}, { workspaceId }),
    affects: () => [
      ['media.list', workspaceId],
      ['media.tags', workspaceId],
    ],
    done: () => ({ title: t('remove.done', { name: media.name }) }),
    onDone: onRemoved,
    showsErrors: false,
  })
  const isNeeded = error instanceof CarillonError && error.code === 'media_in_use'
  const isUsed = media.usedBy.length > 0
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('remove.title', { name: media.name })}
      description={isUsed ? t('remove.used') : t('remove.unused')}
      cancelLabel={shell('cancel')}
      confirmLabel={isNeeded ? t('remove.anyway') : t('remove.confirm')}
      isBusy={isPending}
      onConfirm={() => mutate(isNeeded)}
    >
      {isUsed && <PostsUsing workspaceId={workspaceId} postIds={media.usedBy} />}
      {isNeeded && (
        <Notice kind="warning" title={t('remove.needed')}>
          {t('remove.neededHint')}
        </Notice>
      )}
      {error && !isNeeded && <ErrorNotice error={error} />}
    </ConfirmDialog>
  )
}

type MediaDetailsProps = {
  media: Media
  workspaceId: string
  canChange: boolean
  onSaved: () => void
  onRemove: () => void
}

function MediaDetails({ media, workspaceId, canChange, onSaved, onRemove }: MediaDetailsProps) {
  const { t } = useTranslation('media')
  const queryClient = useQueryClient()
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ alt = '', description = '', tags = '' }) =>
      carillon.media.update(
        media.id,
        { alt: alt.trim(), description: description.trim(), tags: readTags(tags) },
        { workspaceId },
      ),
    () => {
      for (const operation of ['media.list', 'media.get', 'media.tags'])
        void queryClient.invalidateQueries({ queryKey: [operation, workspaceId] })
      showToast({ title: t('details.saved') })
      onSaved()
    },
  )
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <MediaPreview media={media} />
        <MediaFacts media={media} />
      </div>
      <form onSubmit={onSubmit} className="flex min-w-0 flex-col gap-4">
        {error && <ErrorNotice error={error} hidesDetails />}
        {media.type === 'image' && (
          <Field label={t('details.alt')} hint={t('details.altHint')} error={fieldErrors['alt']}>
            <TextArea name="alt" defaultValue={media.alt} maxLength={5000} disabled={!canChange} />
          </Field>
        )}
        <Field label={t('details.description')} hint={t('details.descriptionHint')} error={fieldErrors['description']}>
          <TextArea name="description" defaultValue={media.description} maxLength={5000} rows={2} disabled={!canChange} />
        </Field>
        <Field label={t('details.tags')} hint={t('details.tagsHint')} error={fieldErrors['tags']}>
          <Input name="tags" defaultValue={media.tags.join(', ')} disabled={!canChange} />
        </Field>
        <PostsUsing workspaceId={workspaceId} postIds={media.usedBy} />
        {canChange && (
          <div className="mt-auto flex flex-wrap justify-between gap-2 pt-2">
            <Button variant="quiet" className="-ml-4" icon={<Trash2 aria-hidden />} onClick={onRemove}>
              {t('details.remove')}
            </Button>
            <Button type="submit" variant="primary" isBusy={isPending}>
              {t('details.save')}
            </Button>
          </div>
        )}
      </form>
    </div>
  )
}

function readTags(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
}

/** The file itself where a browser can show it, else its thumbnail. */
function MediaPreview({ media }: { media: Media }) {
  const look = 'max-h-80 w-full rounded-control bg-sunken object-contain'
  if (media.type === 'image') return <img src={media.url} alt={media.alt} className={look} />
  if (media.type === 'video')
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- people upload their own files, which have no captions of their own
    return <video src={media.url} controls preload="metadata" aria-label={media.name} className={look} />
  return (
    <div className="h-48 overflow-hidden rounded-control">
      {media.thumbnailUrl === null ? (
        <FileTile type={media.type} name={media.name} pages={media.pages} />
      ) : (
        <Thumbnail media={media} />
      )}
    </div>
  )
}

function MediaFacts({ media }: { media: Media }) {
  const { t, i18n } = useTranslation('media')
  const { timezone } = useWorkspace()
  const facts: [string, string][] = [
    [t('facts.kind'), media.mimeType],
    [t('facts.size'), formatSize(media.sizeBytes, i18n.language)],
  ]
  if (media.width !== null && media.height !== null) facts.push([t('facts.pixels'), `${media.width} × ${media.height}`])
  if (media.durationSeconds !== null) facts.push([t('facts.duration'), t('facts.seconds', { seconds: media.durationSeconds })])
  if (media.pages !== null) facts.push([t('facts.pages'), String(media.pages)])
  facts.push([t('facts.added'), formatTime(media.createdAt, 'day', { zone: timezone, language: localeOf(i18n.language) })])
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd className="figures break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
