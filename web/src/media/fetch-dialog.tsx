import type { Media } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Form } from '../actions/form.tsx'
import { carillon } from '../api/client.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { useSubmit } from '../people/use-submit.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'

type FetchDialogProps = { workspaceId: string; onClose: () => void; onFetched?: (media: Media) => void }

/** Fetches a file from an address in the web into the library. */
export function FetchDialog({ workspaceId, onClose, onFetched }: FetchDialogProps) {
  const { t } = useTranslation('media')
  const { t: shell } = useTranslation('shell')
  const queryClient = useQueryClient()
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ url = '' }) => carillon.media.fetch({ url: url.trim() }, { workspaceId }),
    (media) => {
      void queryClient.invalidateQueries({ queryKey: ['media.list', workspaceId] })
      showToast({ title: t('fetch.done', { name: media.name }) })
      onFetched?.(media)
      onClose()
    },
  )
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('fetch.title')}
      description={t('fetch.intro')}
      closeLabel={shell('close')}
    >
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} hidesDetails />}
        <Field label={t('fetch.url')} error={fieldErrors['url']}>
          <Input name="url" type="url" required maxLength={2048} placeholder="https://" />
        </Field>
        <Button type="submit" variant="primary" isBusy={isPending} className="self-end">
          {t('fetch.submit')}
        </Button>
      </Form>
    </Dialog>
  )
}
