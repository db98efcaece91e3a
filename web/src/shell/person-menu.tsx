import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { currentPerson } from '../api/auth.ts'
import { Avatar } from '../ui/avatar.tsx'
import { LazyMenu } from '../ui/overlay/lazy-menu.tsx'

/** The person's own menu at the end of the navigation: their pages, help, theme, language, signing out. */
export function PersonMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const { t } = useTranslation('shell')
  const { data: person } = useQuery(currentPerson())
  const name = person?.name || person?.email || ''
  return (
    <LazyMenu
      align="start"
      side="top"
      load={async () => {
        const { PersonRows } = await import('./person-rows.tsx')
        return () => <PersonRows onShowKeys={onShowKeys} />
      }}
      trigger={
        <button type="button" className="flex min-h-12 items-center gap-2.5 rounded-control px-2 text-left hover:bg-hover">
          <Avatar name={name} />
          <span className="min-w-0 flex-1">
            <span className="sr-only">{t('person.menu')}</span>
            <span className="block truncate text-base">{name}</span>
            <span className="block truncate text-xs text-faint">{person?.email}</span>
          </span>
        </button>
      }
    />
  )
}
