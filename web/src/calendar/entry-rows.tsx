import { CalendarClock, ExternalLink, PenLine, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { MenuItem, MenuNote, MenuSeparator } from '../ui/overlay/menu.tsx'
import type { CalendarActions } from './calendar-actions.ts'
import { canEdit, canMove, type ShownEntry } from './shown-entry.ts'

export function EntryRows({ entry, actions }: { entry: ShownEntry; actions: CalendarActions }) {
  const { t } = useTranslation('calendar')
  return (
    <>
      {entry.clocks && <MenuNote>{actions.clockText(entry.clocks)}</MenuNote>}
      <MenuItem icon={<ExternalLink aria-hidden />} onSelect={() => actions.open(entry)} keys="Enter">
        {t('open')}
      </MenuItem>
      {actions.mayWrite && canEdit(entry) && (
        <MenuItem icon={<PenLine aria-hidden />} onSelect={() => actions.edit(entry)}>
          {t('edit')}
        </MenuItem>
      )}
      {actions.mayWrite && canMove(entry) && (
        <MenuItem icon={<CalendarClock aria-hidden />} onSelect={() => actions.askWhere(entry)} keys="M">
          {t('move.menu')}
        </MenuItem>
      )}
      {actions.mayWrite && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash2 aria-hidden />} onSelect={() => actions.askDelete(entry)} isDangerous keys="Del">
            {t('delete')}
          </MenuItem>
        </>
      )}
    </>
  )
}
