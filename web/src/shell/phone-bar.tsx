import { Link } from '@tanstack/react-router'
import { Menu as MenuIcon, PenLine, Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../ui/overlay/menu.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { PreferenceItems, SignOutItem } from './person-menu.tsx'
import { places } from './places.tsx'
import { WorkspaceItems } from './workspace-switcher.tsx'

/** The navigation on a phone: at the bottom edge, where a thumb reaches it. */
export function PhoneBar({ onSearch }: { onSearch: () => void }) {
  const { t } = useTranslation('shell')
  const { id } = useWorkspace()
  const [first, second, third] = places.filter(({ isInPhoneBar }) => isInPhoneBar)
  const link = (place: (typeof places)[number] | undefined) =>
    place && (
      <Link to={`/w/$workspaceId/${place.name}`} params={{ workspaceId: id }} className={tileLook}>
        {place.icon}
        {t(`places.${place.name}`)}
      </Link>
    )
  return (
    <nav
      aria-label={t('navigation')}
      className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-line bg-sunken pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {link(first)}
      {link(second)}
      <Link to="/w/$workspaceId/compose" params={{ workspaceId: id }} className={tileLook}>
        <span className="bell-shape flex h-7 w-9 items-center justify-center bg-bell text-on-bell">
          <PenLine aria-hidden />
        </span>
        {t('composeShort')}
      </Link>
      {link(third)}
      <Menu
        side="top"
        trigger={
          <button type="button" className={tileLook}>
            <MenuIcon aria-hidden />
            {t('more')}
          </button>
        }
      >
        <WorkspaceItems />
        <MenuSeparator />
        {places
          .filter(({ isInPhoneBar }) => !isInPhoneBar)
          .map(({ name, icon }) => (
            <MenuLink key={name} icon={icon} link={<Link to={`/w/$workspaceId/${name}`} params={{ workspaceId: id }} />}>
              {t(`places.${name}`)}
            </MenuLink>
          ))}
        <MenuItem icon={<Search aria-hidden />} onSelect={onSearch}>
          {t('search')}
        </MenuItem>
        <MenuSeparator />
        <PreferenceItems />
        <MenuSeparator />
        <SignOutItem />
      </Menu>
    </nav>
  )
}

const tileLook = [
  'flex min-h-14 flex-col items-center justify-center gap-1 text-2xs text-quiet no-underline',
  'aria-[current=page]:font-medium aria-[current=page]:text-bell [&_svg]:size-5',
].join(' ')
