import { Link } from '@tanstack/react-router'
import { PenLine, Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Wordmark } from '../theme/wordmark.tsx'
import { buttonLook } from '../ui/button.tsx'
import { Keys } from '../ui/keys.tsx'
import { useMay } from '../workspaces/use-may.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { Attention } from './attention.tsx'
import { PersonMenu } from './person-menu.tsx'
import { places } from './places.tsx'
import { useKeyNames } from './use-key-names.ts'
import { commandKey } from './use-shortcuts.ts'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

/** The navigation on a wide screen. */
export function SideBar({ onSearch, onShowKeys }: { onSearch: () => void; onShowKeys: () => void }) {
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
