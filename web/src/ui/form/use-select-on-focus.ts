import { useRef, type FocusEvent, type MouseEvent, type PointerEvent } from 'react'

/**
 * For fields whose value is replaced rather than mended: whoever comes to the field types over what is there. A second click sets the cursor.
 * The browser sets the cursor after the focus, so a click selects once more.
 */
export function useSelectOnFocus() {
  const hadFocus = useRef(false)
  return {
    onPointerDown(event: PointerEvent<HTMLInputElement>) {
      hadFocus.current = event.currentTarget === document.activeElement
    },
    onFocus(event: FocusEvent<HTMLInputElement>) {
      event.currentTarget.select()
    },
    onClick(event: MouseEvent<HTMLInputElement>) {
      if (!hadFocus.current) event.currentTarget.select()
    },
  }
}
