import type { Role } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import type { Option } from '../../ui/form/select.tsx'

const roles: readonly Role[] = ['viewer', 'editor', 'admin', 'owner']

/** The roles with their names, the one with the fewest rights first. */
export function useRoles(): Option<Role>[] {
  const { t } = useTranslation('settings')
  return roles.map((role) => ({ value: role, label: t(`roles.${role}`) }))
}
