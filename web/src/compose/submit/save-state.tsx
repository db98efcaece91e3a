import { CloudOff, CloudUpload, CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SaveStatus } from '../saving/draft-saver.ts'

const icons: Readonly<Record<SaveStatus, ReactNode>> = {
  clean: null,
  unsaved: null,
  waiting: <CloudUpload aria-hidden />,
  saving: <CloudUpload aria-hidden />,
  saved: <CircleCheck aria-hidden />,
  offline: <CloudOff aria-hidden />,
  signedOut: <CloudOff aria-hidden />,
  refused: <TriangleAlert aria-hidden />,
  conflict: <TriangleAlert aria-hidden />,
}

/** Whether what was written is safe. Only what matters is read out: not every save. */
export function SaveState({ status, isScheduled }: { status: SaveStatus; isScheduled: boolean }) {
  const { t } = useTranslation('compose')
  const isWorth = status === 'offline' || status === 'signedOut' || status === 'refused' || status === 'conflict'
  return (
    <>
      <span
        data-save={status}
        className={`inline-flex min-w-0 items-center gap-1.5 text-sm [&_svg]:size-4 [&_svg]:shrink-0 ${isWorth ? 'text-straw' : 'text-quiet'}`}
      >
        {icons[status]}
        {isScheduled && status === 'clean' ? t('save.scheduled') : t(`save.${status}`)}
      </span>
      <output className="sr-only">{isWorth ? t(`save.${status}`) : ''}</output>
    </>
  )
}
