import { CircleAlert, CircleCheck, RotateCw, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { describeError } from '../errors/describe-error.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { formatSize } from './format-size.ts'
import type { Upload } from './use-uploads.ts'

type UploadListProps = { uploads: readonly Upload[]; onRetry: (upload: Upload) => void; onDismiss: (upload: Upload) => void }

/** The files that are being sent, and those that were refused, with the reason. */
export function UploadList({ uploads, onRetry, onDismiss }: UploadListProps) {
  const { t } = useTranslation('media')
  if (uploads.length === 0) return null
  const done = uploads.filter(({ state }) => state === 'done').length
  return (
    <section aria-label={t('uploads.title')} className="rounded-card border border-line bg-surface">
      <output className="figures block border-b border-line px-4 py-2.5 text-sm text-quiet">
        {t('uploads.progress', { done, count: uploads.length })}
      </output>
      <ul>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onRetry={() => onRetry(upload)} onDismiss={() => onDismiss(upload)} />
        ))}
      </ul>
    </section>
  )
}

const marks = {
  sending: <Spinner />,
  done: <CircleCheck aria-hidden className="text-verdigris" />,
  failed: <CircleAlert aria-hidden className="text-rust" />,
} as const

function UploadRow({ upload, onRetry, onDismiss }: { upload: Upload; onRetry: () => void; onDismiss: () => void }) {
  const { t, i18n } = useTranslation('media')
  const { name, state, sizeBytes, sentBytes } = upload
  const isSending = state === 'sending'
  return (
    <li className="flex items-center gap-3 border-b border-line px-4 py-2 last:border-b-0 [&>svg]:size-[18px] [&>svg]:shrink-0">
      {marks[state]}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex items-baseline justify-between gap-3">
          <span className="truncate text-base">{name}</span>
          <span className="figures shrink-0 text-xs text-quiet">{formatSize(sizeBytes, i18n.language)}</span>
        </span>
        {isSending && (
          <progress
            aria-label={t('uploads.sending', { name })}
            className="h-1.5 w-full accent-bell"
            max={sizeBytes}
            // Without a value the bar says only that something is under way: a small file is sent in one step.
            {...(sentBytes > 0 && { value: sentBytes })}
          />
        )}
        {state === 'failed' && <FailedReason error={upload.error} />}
        {state === 'done' && <span className="text-xs text-quiet">{t('uploads.done')}</span>}
      </div>
      {state === 'failed' && (
        <IconButton label={t('uploads.retry', { name })} icon={<RotateCw aria-hidden />} onClick={onRetry} />
      )}
      <IconButton
        label={isSending ? t('uploads.stop', { name }) : t('uploads.dismiss', { name })}
        icon={<X aria-hidden />}
        onClick={onDismiss}
      />
    </li>
  )
}

function FailedReason({ error }: { error: unknown }) {
  const { t } = useTranslation('errors')
  const { title, sentence } = describeError(error, t)
  return (
    <span role="alert" className="text-sm text-rust">
      {title}. {sentence}
    </span>
  )
}
