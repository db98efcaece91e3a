import type { Media } from '@carillon/sdk'
import { Images, Link2, Paperclip } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { useCompose } from '../compose-context.ts'

const LibraryDialog = lazy(async () => ({ default: (await import('./library-dialog.tsx')).LibraryDialog }))
const FetchDialog = lazy(async () => ({ default: (await import('../../media/fetch-dialog.tsx')).FetchDialog }))

type AddFilesProps = { onFiles: (files: readonly File[]) => void; onLibrary: (medias: readonly Media[]) => void }

/** Files come from this device, from the library, or from an address in the web. */
export function AddFiles({ onFiles, onLibrary }: AddFilesProps) {
  const { t } = useTranslation('compose')
  const { workspaceId, state } = useCompose()
  const input = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState<'library' | 'address' | null>(null)
  const close = () => setOpen(null)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button size="sm" icon={<Paperclip aria-hidden />} onClick={() => input.current?.click()}>
        {t('files.add')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('files.add')}
        accept="image/*,video/*,application/pdf"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The same file can be chosen again after it was removed.
          target.value = ''
        }}
      />
      <Button size="sm" icon={<Images aria-hidden />} onClick={() => setOpen('library')}>
        {t('files.library')}
      </Button>
      <Button size="sm" icon={<Link2 aria-hidden />} onClick={() => setOpen('address')}>
        {t('files.address')}
      </Button>
      <span className="hidden text-sm text-faint xl:inline">{t('files.dropHint')}</span>
      {state.tab !== null && state.files.length === 0 && <p className="w-full text-sm text-quiet">{t('files.firstForAll')}</p>}
      <Suspense>
        {open === 'library' && <LibraryDialog onClose={close} onChoose={onLibrary} />}
        {open === 'address' && (
          <FetchDialog workspaceId={workspaceId} onClose={close} onFetched={(media) => onLibrary([media])} />
        )}
      </Suspense>
    </div>
  )
}
