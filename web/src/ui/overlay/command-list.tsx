import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { backdropLook } from './dialog.tsx'
import { Keys } from '../keys.tsx'
import { rowLook } from './popup-look.ts'

export type Command = { id: string; label: string; icon?: ReactNode; keys?: readonly string[]; run: () => void }

/** `isFound`: it was searched for elsewhere, so its name need not contain what was typed. */
export type FoundCommand = Command & { isFound?: true }

type CommandListProps = {
  title: string
  placeholder: string
  emptyText: string
  commands: readonly FoundCommand[]
  onType?: (typed: string) => void
  onClose: () => void
}

/** A field and the commands whose names contain what was typed. Enter runs the marked one. */
export function CommandList({ title, placeholder, emptyText, commands, onType, onClose }: CommandListProps) {
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const shown = commands.filter(({ label, isFound }) => isFound || label.toLowerCase().includes(wanted))
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropLook} />
        <Dialog.Popup className="fixed top-[12dvh] left-1/2 z-40 w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 overflow-hidden rounded-card bg-surface text-ink shadow-float outline-none">
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          <Autocomplete.Root
            items={shown}
            mode="none"
            value={typed}
            onValueChange={(value) => {
              setTyped(value)
              onType?.(value)
            }}
            itemToStringValue={(command: Command) => command.label}
            open
            inline
            autoHighlight="always"
            keepHighlight
          >
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search className="size-[18px] text-faint" aria-hidden />
              <Autocomplete.Input
                aria-label={title}
                placeholder={placeholder}
                className="min-h-13 flex-1 bg-transparent text-lg text-ink outline-none placeholder:text-faint"
              />
            </div>
            <Autocomplete.Empty className="px-4 py-6 text-center text-quiet empty:hidden">{emptyText}</Autocomplete.Empty>
            <Autocomplete.List className="max-h-[50dvh] overflow-y-auto p-1 empty:hidden">
              {(command: Command) => (
                <Autocomplete.Item key={command.id} value={command} onClick={command.run} className={rowLook}>
                  {command.icon}
                  <span className="min-w-0 flex-1 truncate">{command.label}</span>
                  {command.keys && <Keys keys={command.keys} />}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
