import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import type { PostFile } from '../state/compose-state.ts'
import { chosenFile } from './local-files.ts'

/** How far a file is uploaded, or why it was not. */
export function FileState({ file, onRepeat }: { file: PostFile; onRepeat: () => void }) {
  const { t } = useTranslation('compose')
  if (file.problem !== null) {
    return (
      <div className="flex flex-wrap items-center gap-2 text-sm font-medium text-rust">
        {file.problem === 'interrupted' ? t('files.interrupted') : file.problem}
        {chosenFile(file.key) && (
          <Button size="sm" onClick={onRepeat}>
            {t('files.repeat')}
          </Button>
        )}
      </div>
    )
  }
  if (file.mediaId !== null) return null
  const percent = Math.round(file.progress * 100)
  return (
    <div className="flex items-center gap-2 text-sm text-quiet">
      <progress
        className="h-1.5 flex-1 accent-bell"
        aria-label={t('files.uploading', { name: file.name })}
        max={100}
        {...(percent > 0 && { value: percent })}
      />
      <span className="figures">{percent > 0 ? `${percent} %` : t('files.started')}</span>
    </div>
  )
}
