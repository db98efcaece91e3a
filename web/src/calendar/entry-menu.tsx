import { Ellipsis } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LazyMenu } from '../ui/overlay/lazy-menu.tsx'
import { useCalendarActions } from './calendar-actions.ts'
import type { ShownEntry } from './shown-entry.ts'

type EntryMenuProps = {
  entry: ShownEntry
  className: string
  /** In a grid, arrows and keys are used instead. */
  isTabStop?: boolean
}

/** What can be done with a post of the calendar. Dragging and the keys do the same. */
export function EntryMenu({ entry, className, isTabStop = false }: EntryMenuProps) {
  const { t } = useTranslation('calendar')
  const actions = useCalendarActions()
  return (
    <LazyMenu
      load={async () => {
        const { EntryRows } = await import('./entry-rows.tsx')
        return () => <EntryRows entry={entry} actions={actions} />
      }}
      trigger={
        <button
          type="button"
          tabIndex={isTabStop ? 0 : -1}
          aria-label={isTabStop ? t('menu', { time: entry.time, excerpt: entry.excerpt }) : t('menuShort')}
          className={className}
        >
          <Ellipsis aria-hidden />
        </button>
      }
    />
  )
}
