import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { MenuItem, MenuLink, MenuSeparator } from '../ui/overlay/menu.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { PersonRows } from './person-rows.tsx'
import { places } from './places.tsx'
import { WorkspaceRows } from './workspace-rows.tsx'

/** What does not fit into the bar of a phone: other workspaces, other pages, the person's own settings. */
export function PhoneRows({ onSearch }: { onSearch: () => void }) {
  const { t } = useTranslation('shell')
  const { id } = useWorkspace()
  return (
    <>
      <WorkspaceRows />
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
      <PersonRows />
    </>
  )
}
