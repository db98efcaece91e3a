import { useState, type DragEvent, type ReactNode } from 'react'

type DropAreaProps = { label: string; isEnabled: boolean; onFiles: (files: readonly File[]) => void; children: ReactNode }

/** Takes files that are dropped anywhere on it. The same can be done with a button, so it needs no keyboard. */
export function DropArea({ label, isEnabled, onFiles, children }: DropAreaProps) {
  const [isOver, setIsOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => isEnabled && dataTransfer.types.includes('Files')
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setIsOver(true)
  }
  const leave = (event: DragEvent) => {
    if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
    setIsOver(false)
  }
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setIsOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is an extra; the button does the same
    <div className="relative flex min-h-[60vh] flex-col gap-5" onDragOver={over} onDragLeave={leave} onDrop={drop}>
      {children}
      {isOver && (
        <div className="pointer-events-none absolute -inset-2 z-10 flex items-start justify-center rounded-card border-2 border-dashed border-bell bg-bell-wash/90 pt-24">
          <span className="font-serif text-xl text-bell">{label}</span>
        </div>
      )}
    </div>
  )
}
