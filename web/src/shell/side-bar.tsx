import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronsUpDown, PenLine, Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { currentPerson } from '../api/auth.ts'
import { Wordmark } from '../theme/logo.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { buttonLook } from '../ui/button.tsx'
import { Keys } from '../ui/keys.tsx'
import { LazyMenu } from '../ui/overlay/lazy-menu.tsx'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { Attention } from './attention.tsx'
import { Bell } from './bell.tsx'
import { places } from './places.tsx'
import { useKeyNames } from './use-key-names.ts'
import { commandKey } from './use-shortcuts.ts'

type Props = { onSearch: () => void; onShowKeys: () => void; onNotices: () => void }

/** The navigation on a wide screen. */
export function SideBar({ onSearch, onShowKeys, onNotices }: Props) {
  const { t } = useTranslation('shell')
  const { id } = useWorkspace()
  const mayWrite = useMay('editor')
  const nameKeys = useKeyNames()
  return (
    <div className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col gap-4 border-r border-line bg-sunken px-3 py-4 md:flex">
      <Link to="/" className="px-2 no-underline">
        <Wordmark />
      </Link>
      <WorkspaceSwitcher />
      {mayWrite ? (
        <Link to="/w/$workspaceId/compose" params={{ workspaceId: id }} className={buttonLook({ variant: 'primary' })}>
          <PenLine aria-hidden />
          {t('compose')}
        </Link>
      ) : (
        <p className="px-2 text-sm text-quiet">{t('readOnly')}</p>
      )}
      <nav aria-label={t('navigation')} className="flex flex-1 flex-col gap-0.5 overflow-y-auto">
        {places.map(({ name, icon }) => (
          <Link key={name} to={`/w/$workspaceId/${name}`} params={{ workspaceId: id }} className={rowLook}>
            {icon}
            {t(`places.${name}`)}
          </Link>
        ))}
      </nav>
      <Attention />
      <Bell onOpen={onNotices} className={rowLook} isNamed />
      <button type="button" onClick={onSearch} className={`${rowLook} justify-between`}>
        <span className="flex items-center gap-3">
          <Search aria-hidden />
          {t('search')}
        </span>
        <Keys keys={nameKeys([commandKey, 'K'])} />
      </button>
      <PersonMenu onShowKeys={onShowKeys} />
    </div>
  )
}

const rowLook = [
  'flex min-h-10 items-center gap-3 rounded-control px-2.5 text-base text-quiet no-underline transition-colors hover:bg-hover hover:text-ink',
  'aria-[current=page]:bg-bell-wash aria-[current=page]:font-medium aria-[current=page]:text-bell [&_svg]:size-[18px] [&_svg]:shrink-0',
].join(' ')

/** The person's own menu at the end of the navigation: their pages, help, theme, language, signing out. */
function PersonMenu({ onShowKeys }: { onShowKeys: () => void }) {
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

function WorkspaceSwitcher() {
  const { t } = useTranslation('shell')
  const { name } = useWorkspace()
  return (
    <LazyMenu
      align="start"
      load={async () => {
        const { WorkspaceRows } = await import('./workspace-rows.tsx')
        return () => <WorkspaceRows />
      }}
      trigger={
        <button
          type="button"
          className="flex min-h-11 items-center gap-2.5 rounded-control border border-line bg-surface px-2.5 text-left hover:bg-hover"
        >
          <Avatar name={name} size="sm" />
          <span className="min-w-0 flex-1 truncate font-medium">
            <span className="sr-only">{t('workspaces.current')} </span>
            {name}
          </span>
          <ChevronsUpDown className="size-4 text-faint" aria-hidden />
        </button>
      }
    />
  )
}
