import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plug, Plus, Settings } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { operatorAccess } from '../api/operator.ts'
import { platformsList, workspacesConnections, workspacesList } from '../api/queries.gen.ts'
import { accountNames } from '../connections/account-label.ts'
import { PlatformMark } from '../connections/platform-mark.tsx'
import { installationSections, personSections, workspaceSectionsOf } from '../settings/sections.ts'
import { Avatar } from '../ui/avatar.tsx'
import type { Command } from '../ui/overlay/command-list.tsx'
import { useMay } from '../workspaces/use-may.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

type PlaceCommands = { typed: string; onClose: () => void; goTo: (to: string) => void }

/**
 * The accounts, the parts of the settings, the other workspaces, and what else can be done from anywhere. Nobody looks through a list of
 * them, so they are found by typing only.
 */
export function usePlaceCommands({ typed, onClose, goTo }: PlaceCommands): Command[] {
  const { t: tShell } = useTranslation('shell')
  // The palette opens without waiting for these words: the first page need not load them.
  const { t, ready } = useTranslation('settings', { useSuspense: false })
  const navigate = useNavigate()
  const current = useWorkspace()
  const isAdmin = useMay('admin')
  const { data: connections = [] } = useQuery(workspacesConnections(current.id))
  const { data: platforms = [] } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY })
  const { data: workspaces = [] } = useQuery(workspacesList())
  const { data: isOperator = false } = useQuery(operatorAccess())
  if (typed.trim() === '' || !ready) return []
  const names = accountNames(connections)
  const sections = [...workspaceSectionsOf(current), ...personSections, ...(isOperator ? installationSections : [])]
  const connect: Command = {
    id: 'connect',
    label: t('palette.connect'),
    icon: <Plug aria-hidden />,
    run: () => goTo('/w/$workspaceId/integrations'),
  }
  return [
    ...(isAdmin ? [connect] : []),
    {
      id: 'new-workspace',
      label: tShell('workspaces.new'),
      icon: <Plus aria-hidden />,
      run: () => goTo('/new-workspace'),
    },
    ...connections.map(({ id, platform }) => ({
      id,
      label: t('palette.account', {
        name: names.get(id) ?? '',
        platform: platforms.find((each) => each.platform === platform)?.name ?? platform,
      }),
      icon: <PlatformMark platform={platform} className="size-[18px]" />,
      run: () => goTo('/w/$workspaceId/integrations'),
    })),
    ...sections.map((section) => ({
      id: `settings ${section}`,
      label: t('palette.section', { section: t(`sections.${section}`) }),
      icon: <Settings aria-hidden />,
      run: () => goTo(`/w/$workspaceId/settings/${section}`),
    })),
    ...workspaces
      .filter(({ id }) => id !== current.id)
      .map(({ id, name }) => ({
        id,
        label: t('palette.workspace', { name }),
        icon: <Avatar name={name} size="sm" />,
        run: () => {
          onClose()
          void navigate({ to: '/w/$workspaceId', params: { workspaceId: id } })
        },
      })),
  ]
}
