import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FileText, Keyboard, PenLine, Plug, Plus, Settings } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { operatorAccess } from '../api/operator.ts'
import { labelsList, platformsList, workspacesConnections, workspacesList, workspacesMembers } from '../api/queries.gen.ts'
import { accountNames } from '../connections/account-label.ts'
import { PlatformMark } from '../connections/platform-mark.tsx'
import { platformNameOf } from '../connections/platform-name.ts'
import { markStyle } from '../labels/mark-style.ts'
import { Thumbnail } from '../media/thumbnail.tsx'
import { excerptOf } from '../posts/excerpt-of.ts'
import { installationSections, personSections, workspaceSectionsOf } from '../settings/sections.ts'
import { Avatar } from '../ui/avatar.tsx'
import { type Command, type CommandGroup, CommandList } from '../ui/overlay/command-list.tsx'
import { useMay, useWorkspace } from '../workspaces/use-workspace.ts'
import { places } from './places.tsx'
import { useFoundContent } from './use-found-content.ts'

type GoTo = (to: string, search?: Record<string, string>) => void

/**
 * Everything that can be reached from anywhere, by typing a part of its name. What is known at once comes first, so that posts and files, which
 * the server has to find, never move the marked row.
 */
export function CommandPalette({ onClose, onShowKeys }: { onClose: () => void; onShowKeys: () => void }) {
  const { t } = useTranslation('shell')
  const [typed, setTyped] = useState('')
  const isTyping = typed.trim() !== ''
  const navigate = useNavigate()
  const { id: workspaceId } = useWorkspace()
  const goTo: GoTo = (to, search = {}) => {
    onClose()
    void navigate({ to, params: { workspaceId }, search })
  }
  const actions = useActions({ isTyping, goTo, onShowKeys })
  const { groups: named, hasFailed: lacksNames } = useNamed({ isTyping, goTo, onClose })
  const { posts, files, isSearching, hasFailed } = useFoundContent(typed)
  const pages = places.map(({ name, icon, key }) => ({
    id: name,
    label: t(`places.${name}`),
    icon,
    keys: ['G', key.toUpperCase()],
    run: () => goTo(`/w/$workspaceId/${name}`),
  }))
  const groups: CommandGroup[] = [
    { id: 'actions', label: t('palette.actions'), commands: actions },
    { id: 'pages', label: t('palette.pages'), commands: pages },
    ...named,
    {
      id: 'posts',
      label: t('places.posts'),
      commands: posts.map((post) => ({
        id: post.uploadId,
        label: excerptOf(post, t('palette.untitled')),
        icon: <FileText aria-hidden />,
        isFound: true,
        run: () => goTo(`/w/$workspaceId/posts/${post.uploadId}`),
      })),
    },
    {
      id: 'files',
      label: t('palette.files'),
      commands: files.map((file) => ({
        id: file.id,
        label: file.name,
        icon: (
          <span aria-hidden className="-my-1 size-7 shrink-0 overflow-hidden rounded-sm">
            <Thumbnail media={file} />
          </span>
        ),
        isFound: true,
        run: () => goTo('/w/$workspaceId/media', { item: file.id }),
      })),
    },
  ]
  return (
    <CommandList
      title={t('search')}
      placeholder={t('palette.placeholder')}
      emptyText={t(isSearching ? 'palette.searching' : 'palette.empty')}
      note={hasFailed || lacksNames ? t('palette.failed') : null}
      groups={groups}
      onType={setTyped}
      onClose={onClose}
    />
  )
}

/** What can be done from anywhere. All but the most frequent are found by typing only. */
function useActions({ isTyping, goTo, onShowKeys }: { isTyping: boolean; goTo: GoTo; onShowKeys: () => void }): Command[] {
  const { t } = useTranslation('shell')
  const { t: tSettings, ready } = useTranslation('settings', { useSuspense: false })
  const [mayWrite, isAdmin] = [useMay('editor'), useMay('admin')]
  const compose: Command = {
    id: 'compose',
    label: t('compose'),
    icon: <PenLine aria-hidden />,
    keys: ['C'],
    run: () => goTo('/w/$workspaceId/compose'),
  }
  const connect: Command = {
    id: 'connect',
    label: tSettings('palette.connect'),
    icon: <Plug aria-hidden />,
    run: () => goTo('/w/$workspaceId/integrations'),
  }
  const newWorkspace: Command = {
    id: 'new-workspace',
    label: t('workspaces.new'),
    icon: <Plus aria-hidden />,
    run: () => goTo('/new-workspace'),
  }
  const keys: Command = { id: 'keys', label: t('keys.title'), icon: <Keyboard aria-hidden />, keys: ['?'], run: onShowKeys }
  return [
    ...(mayWrite ? [compose] : []),
    ...(isTyping && ready && isAdmin ? [connect] : []),
    ...(isTyping ? [newWorkspace] : []),
    keys,
  ]
}

type Named = { isTyping: boolean; goTo: GoTo; onClose: () => void }

/**
 * The labels, the members, the accounts, the parts of the settings and the other workspaces. Nobody looks through a list of them, so they are
 * found by typing only. Every member may see the others, so the server refuses none of these lists.
 */
function useNamed({ isTyping, goTo, onClose }: Named): { groups: CommandGroup[]; hasFailed: boolean } {
  const { t: tShell } = useTranslation('shell')
  // The palette opens without waiting for these words: the first page need not load them.
  const { t, ready } = useTranslation('settings', { useSuspense: false })
  const navigate = useNavigate()
  const current = useWorkspace()
  const labels = useQuery({ ...labelsList(current.id), enabled: isTyping })
  const members = useQuery({ ...workspacesMembers(current.id), enabled: isTyping })
  const connections = useQuery(workspacesConnections(current.id))
  const { data: platforms = [] } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY })
  const { data: workspaces = [] } = useQuery(workspacesList())
  const { data: isOperator = false } = useQuery(operatorAccess())
  if (!isTyping || !ready) return { groups: [], hasFailed: false }
  const accounts = connections.data ?? []
  const names = accountNames(accounts)
  const sections = [...workspaceSectionsOf(current), ...personSections, ...(isOperator ? installationSections : [])]
  const groups: CommandGroup[] = [
    {
      id: 'labels',
      label: tShell('palette.labels'),
      commands: (labels.data ?? []).map(({ id, name, color }) => ({
        id,
        label: name,
        icon: (
          <span aria-hidden className="flex w-[18px] shrink-0 justify-center">
            <span style={markStyle(color)} className="mark-dot size-3 rounded-full" />
          </span>
        ),
        run: () => goTo('/w/$workspaceId/posts', { label: id }),
      })),
    },
    {
      id: 'people',
      label: tShell('palette.people'),
      commands: (members.data ?? []).map(({ userId, name, email }) => ({
        id: userId,
        label: name || email,
        words: email,
        icon: <Avatar name={name || email} size="sm" />,
        run: () => goTo('/w/$workspaceId/settings/members'),
      })),
    },
    {
      id: 'accounts',
      label: tShell('palette.accounts'),
      commands: accounts.map(({ id, platform }) => ({
        id,
        label: t('palette.account', { name: names.get(id) ?? '', platform: platformNameOf(platforms, platform) }),
        icon: <PlatformMark platform={platform} className="size-[18px]" />,
        run: () => goTo('/w/$workspaceId/integrations'),
      })),
    },
    {
      id: 'settings',
      label: tShell('places.settings'),
      commands: sections.map((section) => ({
        id: `settings ${section}`,
        label: t('palette.section', { section: t(`sections.${section}`) }),
        icon: <Settings aria-hidden />,
        run: () => goTo(`/w/$workspaceId/settings/${section}`),
      })),
    },
    {
      id: 'workspaces',
      label: tShell('palette.workspaces'),
      commands: workspaces
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
    },
  ]
  return { groups, hasFailed: [labels, members, connections].some(({ isError }) => isError) }
}
