import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FileText, Keyboard, PenLine, Plug, Plus, Settings } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { operatorAccess } from '../api/operator.ts'
import { contentList, platformsList, workspacesConnections, workspacesList } from '../api/queries.gen.ts'
import { accountNames } from '../connections/account-label.ts'
import { PlatformMark } from '../connections/platform-mark.tsx'
import { platformNameOf } from '../connections/platform-name.ts'
import { excerptOf } from '../posts/excerpt-of.ts'
import { installationSections, personSections, workspaceSectionsOf } from '../settings/sections.ts'
import { Avatar } from '../ui/avatar.tsx'
import { type Command, CommandList, type FoundCommand } from '../ui/overlay/command-list.tsx'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { places } from './places.tsx'

/** Everything that can be reached from anywhere, by typing a part of its name. */
export function CommandPalette({ onClose, onShowKeys }: { onClose: () => void; onShowKeys: () => void }) {
  const { t } = useTranslation('shell')
  const [typed, setTyped] = useState('')
  const posts = useFoundPosts(typed)
  const navigate = useNavigate()
  const { id: workspaceId } = useWorkspace()
  const goTo = (to: string) => {
    onClose()
    void navigate({ to, params: { workspaceId } })
  }
  const mayWrite = useMay('editor')
  const compose: Command = {
    id: 'compose',
    label: t('compose'),
    icon: <PenLine aria-hidden />,
    keys: ['C'],
    run: () => goTo('/w/$workspaceId/compose'),
  }
  const more = usePlaceCommands({ typed, onClose, goTo })
  const commands: FoundCommand[] = [
    ...(mayWrite ? [compose] : []),
    ...places.map(({ name, icon, key }) => ({
      id: name,
      label: t(`places.${name}`),
      icon,
      keys: ['G', key.toUpperCase()],
      run: () => goTo(`/w/$workspaceId/${name}`),
    })),
    ...more,
    { id: 'keys', label: t('keys.title'), icon: <Keyboard aria-hidden />, keys: ['?'], run: onShowKeys },
    ...posts.map((post) => ({
      id: post.uploadId,
      label: excerptOf(post, t('palette.untitled')),
      icon: <FileText aria-hidden />,
      isFound: true as const,
      run: () => goTo(`/w/$workspaceId/posts/${post.uploadId}`),
    })),
  ]
  return (
    <CommandList
      title={t('search')}
      placeholder={t('palette.placeholder')}
      emptyText={t('palette.empty')}
      commands={commands}
      onType={setTyped}
      onClose={onClose}
    />
  )
}

const lettersMin = 2
const postsMax = 6

/** The posts that contain what was typed. */
function useFoundPosts(typed: string) {
  const { id: workspaceId } = useWorkspace()
  const search = useDeferredValue(typed.trim())
  const { data } = useQuery({
    ...contentList(workspaceId, { search, limit: postsMax }),
    enabled: search.length >= lettersMin,
    placeholderData: (before) => before,
  })
  return search.length >= lettersMin ? (data?.data ?? []) : []
}

type PlaceCommands = { typed: string; onClose: () => void; goTo: (to: string) => void }

/**
 * The accounts, the parts of the settings, the other workspaces, and what else can be done from anywhere. Nobody looks through a list of
 * them, so they are found by typing only.
 */
function usePlaceCommands({ typed, onClose, goTo }: PlaceCommands): Command[] {
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
        platform: platformNameOf(platforms, platform),
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
