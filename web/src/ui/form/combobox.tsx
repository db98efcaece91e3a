import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, ChevronsUpDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { popupLook, rowLook } from '../overlay/popup-look.ts'
import { controlLook } from './input.tsx'
import { useSelectOnFocus } from './use-select-on-focus.ts'

/** `note` follows the label, `aside` is at the end of the row. */
export type Choice = { value: string; label: string; note?: string; aside?: string }
export type ChoiceGroup = { label: string | null; choices: readonly Choice[] }

type ComboboxProps = {
  groups: readonly ChoiceGroup[]
  /** Empty: nothing is chosen. */
  value: string
  /** What the field shows while nobody types. */
  text: string
  /** What was typed, to find choices for it; null when the field shows its value again. */
  onType: (typed: string | null) => void
  onChoose: (value: string) => void
  /** Emptying the field chooses nothing. Otherwise the value stays until another one is chosen. */
  canBeEmpty?: boolean
  /** What was typed is a value itself, and choices are only a help. It stays as long as it is no value. */
  isFree?: boolean
  /** Said when nothing was found. */
  emptyText?: string
  name?: string
  placeholder?: string
  disabled?: boolean
  className?: string
  onBlur?: () => void
}

/** A field with a list of choices that get fewer while somebody types. It is heavy: do not use it in the shell or in the calendar. */
export function Combobox(props: ComboboxProps) {
  const { groups, value, text, onType, onChoose, canBeEmpty = false, isFree = false, emptyText } = props
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const selectOnFocus = useSelectOnFocus()
  useReadablePage(isOpen)
  const show = (next: string | null) => {
    setTyped(next)
    // Nothing is looked for in the list then.
    if (isFree) setIsOpen(false)
    onType(next)
  }
  /** What is no value yet stays to be mended, if any text may be one. */
  const endTyping = () => {
    if (!isFree || value !== '') show(null)
  }
  return (
    <Base.Root<string>
      items={groups.map((group) => ({ ...group, items: group.choices.map((choice) => choice.value) }))}
      filter={null}
      value={value === '' ? null : value}
      onValueChange={(next) => {
        if (next !== null) onChoose(next)
        else if (canBeEmpty) onChoose('')
      }}
      inputValue={typed ?? text}
      onInputValueChange={(next, details) => {
        if (details.reason === 'input-change') return show(next)
        if (details.reason === 'escape-key') {
          // Base UI would empty the field. Here, Escape is for what the field is in, such as a dialog.
          details.cancel()
          details.allowPropagation()
        }
        if (details.reason === 'item-press') show(null)
        else endTyping()
      }}
      itemToStringLabel={(each) => (each === value ? text : each)}
      open={isOpen}
      onOpenChange={(next, details) => {
        if (isFree && details.reason === 'input-change') details.cancel()
        else setIsOpen(next)
      }}
      autoHighlight={!isFree}
      disabled={props.disabled ?? false}
      {...(props.name !== undefined && { name: props.name })}
    >
      <div className={`relative ${props.className ?? ''}`}>
        <Base.Input
          autoComplete="off"
          spellCheck={false}
          {...(props.placeholder !== undefined && { placeholder: props.placeholder })}
          {...selectOnFocus}
          onBlur={() => {
            if (!isOpen) endTyping()
            props.onBlur?.()
          }}
          className={`${controlLook} figures min-h-10 truncate pr-9 pointer-coarse:min-h-11`}
        />
        <ChevronsUpDown aria-hidden className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-faint" />
      </div>
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="start" collisionPadding={8} className="z-50">
          <Base.Popup className={`${popupLook} w-(--anchor-width) min-w-(--anchor-width) overflow-hidden sm:w-max sm:max-w-sm`}>
            {emptyText !== undefined && <Base.Empty className="px-2.5 py-3 text-quiet empty:hidden">{emptyText}</Base.Empty>}
            <Base.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto overscroll-contain empty:hidden">
              {(group: ChoiceGroup & { items: string[] }) => (
                <Base.Group key={group.label ?? ''} items={group.items}>
                  {group.label !== null && (
                    <Base.GroupLabel className="px-2.5 pt-2 pb-1 text-xs font-medium text-faint">{group.label}</Base.GroupLabel>
                  )}
                  {group.choices.map((choice) => (
                    <Base.Item key={choice.value} value={choice.value} className={rowLook}>
                      <span className="figures min-w-0 flex-1 truncate">
                        {choice.label}
                        {choice.note !== undefined && <span className="ml-2 text-sm text-quiet">{choice.note}</span>}
                      </span>
                      {choice.aside !== undefined && <span className="figures shrink-0 text-sm text-quiet">{choice.aside}</span>}
                      <span className="flex w-[18px] shrink-0">
                        <Base.ItemIndicator>
                          <Check aria-hidden className="text-bell" />
                        </Base.ItemIndicator>
                      </span>
                    </Base.Item>
                  ))}
                </Base.Group>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/**
 * Base UI hides the rest of the page from screen readers while the list is open, although the keyboard still reaches it: what has the focus
 * would then have no name. The list is no dialog, so the page stays readable.
 */
function useReadablePage(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    const observer = new MutationObserver((changes) => {
      for (const { target, oldValue } of changes)
        if (oldValue === null && target instanceof Element) target.removeAttribute('aria-hidden')
    })
    observer.observe(document.body, { subtree: true, attributeFilter: ['aria-hidden'], attributeOldValue: true })
    return () => observer.disconnect()
  }, [isOpen])
}
