import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { popupLook, rowLook } from './popup-look.ts'

type MenuProps = {
  /** The button that opens it, usually an IconButton or a Button. */
  trigger: ReactElement
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'right'
  isOpenAtFirst?: boolean
  /** MenuItem, MenuLink, MenuRadio and MenuSeparator. */
  children: ReactNode
}

export function Menu({ trigger, align = 'end', side = 'bottom', isOpenAtFirst = false, children }: MenuProps) {
  return (
    <Base.Root defaultOpen={isOpenAtFirst}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} side={side} className="z-50">
          <Base.Popup className={`${popupLook} max-h-(--available-height) min-w-52 overflow-y-auto`}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type MenuItemProps = {
  icon?: ReactNode
  children: ReactNode
  onSelect: () => void
  isDangerous?: boolean
  disabled?: boolean
  keys?: string
}

export function MenuItem({ icon, children, onSelect, isDangerous = false, disabled = false, keys }: MenuItemProps) {
  return (
    <Base.Item onClick={onSelect} disabled={disabled} className={`${rowLook} ${isDangerous ? 'text-rust' : ''}`}>
      {icon}
      <span className="flex-1">{children}</span>
      {keys !== undefined && <kbd className="font-sans text-xs text-faint">{keys}</kbd>}
    </Base.Item>
  )
}

/** `link` is the link element without content: `<Link to="/posts" />`. */
export function MenuLink({ link, icon, children }: { link: ReactElement; icon?: ReactNode; children: ReactNode }) {
  return (
    <Base.LinkItem render={link} closeOnClick className={rowLook}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </Base.LinkItem>
  )
}

type MenuRadioProps<Value extends string> = {
  label: string
  value: Value
  choices: readonly { value: Value; label: string; icon?: ReactNode }[]
  onChange: (value: Value) => void
}

export function MenuRadio<Value extends string>({ label, value, choices, onChange }: MenuRadioProps<Value>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      <Base.Group>
        <Base.GroupLabel className="px-2.5 pt-2 pb-1 text-xs font-medium text-faint">{label}</Base.GroupLabel>
        {choices.map((choice) => (
          <Base.RadioItem key={choice.value} value={choice.value} className={rowLook}>
            {choice.icon}
            <span className="flex-1">{choice.label}</span>
            <Base.RadioItemIndicator>
              <Check className="text-bell" aria-hidden />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.Group>
    </Base.RadioGroup>
  )
}

/** A fact above the items: it cannot be chosen. */
export function MenuNote({ children }: { children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="figures px-2.5 pt-2 pb-1 text-sm text-quiet">{children}</Base.GroupLabel>
    </Base.Group>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />
}
