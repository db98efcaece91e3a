import type { Note } from '@carillon/sdk'
import { StickyNote } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { markStyle } from '../labels/mark-style.ts'

type DayNotesProps = {
  notes: readonly Note[]
  onOpen: (note: Note) => void
  /** In a grid, the arrow keys reach it and not the Tab key. */
  isInGrid?: boolean
}

/** The notes of a day, above its posts. */
export function DayNotes({ notes, onOpen, isInGrid = false }: DayNotesProps) {
  const { t } = useTranslation('notes')
  return notes.map((note) => (
    <button
      key={note.id}
      type="button"
      {...(isInGrid && { 'data-item': true, tabIndex: -1 })}
      style={markStyle(note.color)}
      title={note.text}
      onClick={() => onOpen(note)}
      className={`mark ${noteLook} ${isInGrid ? 'min-h-6 w-full px-1.5 text-xs' : 'min-h-8 self-start px-2.5 text-sm pointer-coarse:min-h-11'}`}
    >
      <StickyNote aria-hidden />
      <span className="sr-only">{t('note')}: </span>
      <span className="min-w-0 flex-1 truncate">{note.text}</span>
    </button>
  ))
}

const noteLook = [
  'flex max-w-full min-w-0 items-center gap-1.5 rounded-chip border border-transparent text-left transition-colors',
  'hover:border-current focus-visible:outline-offset-0 [&_svg]:size-3.5 [&_svg]:shrink-0',
].join(' ')
