import { useNavigate } from '@tanstack/react-router'
import { Keyboard, PenLine } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CommandList, type Command } from '../ui/overlay/command-list.tsx'
import { useMay } from '../workspaces/use-may.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { places } from './places.tsx'

/** Everything that can be reached from anywhere, by typing a part of its name. */
export function CommandPalette({ onClose, onShowKeys }: { onClose: () => void; onShowKeys: () => void }) {
  const { t } = useTranslation('shell')
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
  const commands: Command[] = [
    ...(mayWrite ? [compose] : []),
    ...places.map(({ name, icon, key }) => ({
      id: name,
      label: t(`places.${name}`),
      icon,
      keys: ['G', key.toUpperCase()],
      run: () => goTo(`/w/$workspaceId/${name}`),
    })),
    { id: 'keys', label: t('keys.title'), icon: <Keyboard aria-hidden />, keys: ['?'], run: onShowKeys },
  ]
  return (
    <CommandList
      title={t('search')}
      placeholder={t('palette.placeholder')}
      emptyText={t('palette.empty')}
      commands={commands}
      onClose={onClose}
    />
  )
}
