import type { Media } from '@carillon/sdk'
import { Images, Paperclip } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'

const LibraryDialog = lazy(async () => ({ default: (await import('./library-dialog.tsx')).LibraryDialog }))

type AddFilesProps = { onFiles: (files: readonly File[]) => void; onLibrary: (medias: readonly Media[]) => void }

export function AddFiles({ onFiles, onLibrary }: AddFilesProps) {
  const { t } = useTranslation('compose')
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setIsOpen] = useState(false)
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
      <Button size="sm" icon={<Images aria-hidden />} onClick={() => setIsOpen(true)}>
        {t('files.library')}
      </Button>
      <span className="hidden text-sm text-faint sm:inline">{t('files.dropHint')}</span>
      <Suspense>{isOpen && <LibraryDialog onClose={() => setIsOpen(false)} onChoose={onLibrary} />}</Suspense>
    </div>
  )
}
