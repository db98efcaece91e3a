import { useTranslation } from 'react-i18next'
import { NoteDialog } from '../notes/note-dialog.tsx'
import { DeletePostDialog } from '../posts/delete-post-dialog.tsx'
import { MoveDialog } from '../posts/move-dialog.tsx'
import type { useMovePost } from '../posts/use-move-post.ts'
import { formatDay, type TimeStyle } from '../time/format-time.ts'
import { wallTimeIn } from '../time/zoned-day.ts'
import { Dialog } from '../ui/overlay/dialog.tsx'
import type { CalendarDialog } from './calendar-actions.ts'
import { EntryRow } from './entry-row.tsx'
import type { ShownEntry } from './shown-entry.ts'

type CalendarDialogsProps = {
  dialog: NonNullable<CalendarDialog>
  entries: readonly ShownEntry[]
  style: TimeStyle
  onMove: ReturnType<typeof useMovePost>['move']
  onClose: () => void
}

/** The dialogs of the calendar, loaded when one is first opened. */
export function CalendarDialogs({ dialog, entries, style, onMove, onClose }: CalendarDialogsProps) {
  const { t } = useTranslation(['calendar', 'shell'])
  if (dialog.kind === 'move') {
    const { entry } = dialog
    const zone = entry.timezone ?? style.zone
    return (
      <MoveDialog
        wall={wallTimeIn(zone, entry.at)}
        zone={zone}
        excerpt={entry.excerpt}
        onClose={onClose}
        onMove={(wall) => onMove({ post: entry, wall, zone })}
      />
    )
  }
  if (dialog.kind === 'delete') return <DeletePostDialog post={dialog.entry} onClose={onClose} />
  if (dialog.kind === 'note') return <NoteDialog note={dialog.note} day={dialog.day} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={formatDay(dialog.day, 'longDay', style.language)}
      closeLabel={t('shell:close')}
      size="lg"
    >
      <ul className="divide-y divide-line rounded-card border border-line">
        {entries
          .filter(({ wall }) => wall.startsWith(dialog.day))
          .map((entry) => (
            <EntryRow key={entry.uploadId} entry={entry} />
          ))}
      </ul>
    </Dialog>
  )
}
