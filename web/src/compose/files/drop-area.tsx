import { useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type DropAreaProps = { onFiles: (files: readonly File[]) => void; children: ReactNode }

/** Files can be dropped anywhere on the composer. There is a button for the same. */
export function DropArea({ onFiles, children }: DropAreaProps) {
  const { t } = useTranslation('compose')
  const [isOver, setIsOver] = useState(false)
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      // At least as high as the window, so that the bar at its end is at the lower edge also when there is little to see.
      className="relative flex flex-col md:-mb-12 md:min-h-[calc(100dvh-2rem)]"
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={(event) => event.currentTarget === event.target && setIsOver(false)}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-0 z-30 flex items-start justify-center rounded-card border-2 border-dashed border-bell bg-bell-wash/80 pt-40 text-lg text-bell">
          {t('files.drop')}
        </div>
      )}
    </div>
  )
}
