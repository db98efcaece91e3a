import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { backdropLook } from './dialog.tsx'
import { Keys } from '../keys.tsx'
import { rowLook } from './popup-look.ts'

/** `words`: what else it is found by, beside its label. `isFound`: it was searched for elsewhere, so it need not contain what was typed. */
export type Command = {
  id: string
  label: string
  icon?: ReactNode
  keys?: readonly string[]
  words?: string
  isFound?: true
  run: () => void
}

export type CommandGroup = { id: string; label: string; commands: readonly Command[] }

type CommandListProps = {
  title: string
  placeholder: string
  emptyText: string
  /** What is said below the commands, such as that some of them could not be loaded. */
  note: string | null
  groups: readonly CommandGroup[]
  onType: (typed: string) => void
  onClose: () => void
}

type ShownGroup = CommandGroup & { items: Command[] }

/** More than these are found by typing more. */
const shownMax = 6

/** A field and the commands whose names contain what was typed, in groups. Enter runs the marked one. */
export function CommandList({ title, placeholder, emptyText, note, groups, onType, onClose }: CommandListProps) {
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const matches = ({ label, words = '', isFound }: Command) => isFound || `${label}\n${words}`.toLowerCase().includes(wanted)
  const shown = groups
    .map((group): ShownGroup => ({ ...group, items: group.commands.filter(matches).slice(0, shownMax) }))
    .filter(({ items }) => items.length > 0)
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
              onType(value)
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
                className="min-h-13 min-w-0 flex-1 bg-transparent text-lg text-ink outline-none placeholder:text-faint"
              />
            </div>
            <Autocomplete.Empty className="px-4 py-6 text-center text-quiet empty:hidden">{emptyText}</Autocomplete.Empty>
            <Autocomplete.List className="max-h-[50dvh] overflow-y-auto p-1 empty:hidden">
              {(group: ShownGroup) => (
                <Autocomplete.Group key={group.id} items={group.items}>
                  <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-xs font-medium text-faint">
                    {group.label}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item key={command.id} value={command} onClick={command.run} className={rowLook}>
                        {command.icon}
                        <span className="min-w-0 flex-1 truncate">{command.label}</span>
                        {command.keys && <Keys keys={command.keys} />}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
            <Autocomplete.Status className="border-t border-line px-4 py-2 text-sm text-quiet empty:hidden">
              {note}
            </Autocomplete.Status>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
