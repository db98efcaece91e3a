import { useNavigate } from '@tanstack/react-router'
import { FileText, Keyboard, PenLine } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { excerptOf } from '../posts/excerpt-of.ts'
import { CommandList, type Command, type FoundCommand } from '../ui/overlay/command-list.tsx'
import { useMay } from '../workspaces/use-may.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { places } from './places.tsx'
import { useFoundPosts } from './use-found-posts.ts'
import { usePlaceCommands } from './use-place-commands.tsx'

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
