import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, Minus, Plus, Search } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { rowLook } from '../overlay/popup-look.ts'

type ListChoice = { value: string; name: string; content: ReactNode; disabled?: boolean }

type ChoiceListProps = {
  /** The name of the field for screen readers. */
  label: string
  placeholder: string
  /** Those that fit what was typed, in the order of the list. */
  find: (typed: string) => readonly ListChoice[]
  chosen: readonly string[]
  /** Neither: some of what the list is about has it. */
  partial?: ReadonlySet<string>
  onChange: (chosen: string[]) => void
  /** Offered for what was typed, if it is not null: makes a new choice. */
  createText?: (typed: string) => string | null
  onCreate?: (typed: string) => void
  emptyText: string
  note?: ReactNode
}

/** The row that makes a new choice. No other value contains a space. */
const createValue = ' create '

/** Any number of choices of a list that gets shorter while somebody types: arrows mark a row, Enter takes it or leaves it. For a popover. */
export function ChoiceList(props: ChoiceListProps) {
  const { label, placeholder, find, chosen, partial, onChange, createText, onCreate, emptyText, note } = props
  const [typed, setTyped] = useState('')
  const marked = useRef<string | undefined>(undefined)
  const choices = find(typed)
  const create = typed.trim() === '' ? null : (createText?.(typed.trim()) ?? null)
  const items = [...choices.map(({ value }) => value), ...(create === null ? [] : [createValue])]
  const change = (next: string[]) => {
    if (!next.includes(createValue)) return onChange(next)
    onCreate?.(typed.trim())
    setTyped('')
  }
  return (
    <Base.Root<string, true>
      multiple
      inline
      open
      items={items}
      filter={null}
      autoHighlight
      value={[...chosen]}
      onItemHighlighted={(value) => {
        marked.current = value
      }}
      onValueChange={change}
      inputValue={typed}
      onInputValueChange={(next, { reason }) => {
        if (reason === 'input-change') setTyped(next)
      }}
    >
      <div className="-mx-1 -mt-1 flex items-center gap-2 border-b border-line px-3">
        <Search aria-hidden className="size-4 shrink-0 text-faint" />
        <Base.Input
          aria-label={label}
          placeholder={placeholder}
          autoComplete="off"
          maxLength={60}
          onKeyDown={(event) => {
            // A list that has just become another one may have no marked row yet. Enter makes what was typed then.
            if (event.key !== 'Enter' || marked.current !== undefined || create === null || choices.length > 0) return
            event.preventBaseUIHandler()
            event.preventDefault()
            change([...chosen, createValue])
          }}
          className="min-h-10 w-full min-w-0 bg-transparent text-base text-ink outline-none placeholder:text-faint pointer-coarse:min-h-11 pointer-coarse:text-[1rem]"
        />
      </div>
      {items.length === 0 && <p className="px-2.5 py-3 text-quiet">{emptyText}</p>}
      <Base.List className="max-h-[min(18rem,50dvh)] overflow-y-auto overscroll-contain pt-1 empty:hidden">
        {(value: string) => {
          if (value === createValue)
            return (
              <Base.Item key={value} value={value} className={rowLook}>
                <Plus aria-hidden className="text-bell" />
                <span className="min-w-0 flex-1 truncate">{create}</span>
              </Base.Item>
            )
          const choice = choices.find((each) => each.value === value)
          return (
            <Base.Item key={value} value={value} disabled={choice?.disabled ?? false} className={rowLook}>
              <span className="flex min-w-0 flex-1">{choice?.content}</span>
              {chosen.includes(value) ? (
                <Check aria-hidden className="text-bell" />
              ) : (
                partial?.has(value) && <Minus aria-hidden className="text-faint" />
              )}
            </Base.Item>
          )
        }}
      </Base.List>
      {note !== undefined && <p className="px-2.5 py-1.5 text-sm text-quiet">{note}</p>}
    </Base.Root>
  )
}
