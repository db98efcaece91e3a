import type { Media } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { carillon } from '../api/client.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { useSubmit } from '../people/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { TextArea } from '../ui/form/text-area.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'
import { MediaFacts } from './media-facts.tsx'
import { MediaPreview } from './media-preview.tsx'
import { PostsUsing } from './posts-using.tsx'

type MediaDetailsProps = {
  media: Media
  workspaceId: string
  canChange: boolean
  onSaved: () => void
  onRemove: () => void
}

export function MediaDetails({ media, workspaceId, canChange, onSaved, onRemove }: MediaDetailsProps) {
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
