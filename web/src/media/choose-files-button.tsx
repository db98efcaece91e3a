import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'

/** Opens the file dialog of the system. */
export function ChooseFilesButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation('media')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant="primary" icon={<Upload aria-hidden />} onClick={() => input.current?.click()}>
        {t('upload')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept="image/*,video/*,application/pdf"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file can be chosen again after it was refused.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
