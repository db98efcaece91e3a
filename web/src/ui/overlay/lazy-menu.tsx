import { cloneElement, useState, type ComponentProps, type ComponentType, type ReactElement, type ReactNode } from 'react'

type LazyMenuProps = {
  trigger: ReactElement<ComponentProps<'button'>>
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'right'
  /** Loads the rows: `async () => { const { Rows } = await import('./rows.tsx'); return () => <Rows /> }`. */
  load: () => Promise<() => ReactNode>
}

type Loaded = { Menu: ComponentType<MenuProps>; rows: () => ReactNode }
type MenuProps = Omit<LazyMenuProps, 'load'> & { isOpenAtFirst: boolean; children: ReactNode }

/**
 * A menu whose code is loaded when it is first opened, for what every page shows: menus are the heaviest part of the interface. The code is
 * fetched as soon as the pointer or the focus reaches the button, so that a click does not wait for it.
 */
export function LazyMenu({ trigger, align = 'end', side = 'bottom', load }: LazyMenuProps) {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  if (loaded) {
    const { Menu, rows } = loaded
    return (
      <Menu trigger={trigger} align={align} side={side} isOpenAtFirst>
        {rows()}
      </Menu>
    )
  }
  const fetchCode = async (): Promise<Loaded> => {
    const [{ Menu }, rows] = await Promise.all([import('./menu.tsx'), load()])
    return { Menu, rows }
  }
  const open = () => void fetchCode().then((code) => setLoaded(code))
  return cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: () => void fetchCode(),
    onFocus: () => void fetchCode(),
    onClick: open,
  })
}
