import type { PendingUpload } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { mediaUploads } from '../api/queries.gen.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import type { Upload } from './use-uploads.ts'

/** Large files whose upload stopped, here or in another browser. Choosing the same file again continues it. */
export function StoppedUploads({ workspaceId, uploads }: { workspaceId: string; uploads: readonly Upload[] }) {
  const { t } = useTranslation('media')
  const { data = [] } = useQuery(mediaUploads(workspaceId))
  const { mutate, isPending } = useChange({
    run: (id: string) => carillon.media.abortUpload(id, { workspaceId }),
    affects: () => [['media.uploads', workspaceId]],
  })
  const isHere = ({ name, sizeBytes }: PendingUpload) =>
    uploads.some((each) => each.name === name && each.sizeBytes === sizeBytes)
  return data
    .filter((each) => !isHere(each))
    .map(({ id, name }) => (
      <Notice
        key={id}
        title={t('stopped.title', { name })}
        actions={
          <Button size="sm" isBusy={isPending} onClick={() => mutate(id)}>
            {t('stopped.discard')}
          </Button>
        }
      >
        {t('stopped.hint')}
      </Notice>
    ))
}
