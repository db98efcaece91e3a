import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, type ReactNode, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { iconButtonLook } from '../icon-button-look.ts'
import { useMediaQuery } from '../use-media-query.ts'

type SheetProps = {
  title: string
  closeLabel: string
  onClose: () => void
  /** Buttons above the title. */
  tools: ReactNode
  children: ReactNode
}

/**
 * At the right edge, over the whole height. On a wide screen the page beside it stays usable; on a narrow one it covers the page, as a dialog does.
 * The heading has the focus when it opens. Whoever closes it gives the focus back, because what opened it may have been loaded anew.
 */
export function Sheet(props: SheetProps) {
  const coversPage = useMediaQuery('(width < 64rem)')
  return coversPage ? <CoveringSheet {...props} /> : <SideSheet {...props} />
}

function SideSheet(props: SheetProps) {
  const { title, onClose } = props
  const titleId = useId()
  const sheet = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    // A menu that opened it gives the focus back to its own button while it closes.
    const frame = requestAnimationFrame(() => heading.current?.focus({ preventScroll: true }))
    return () => cancelAnimationFrame(frame)
  }, [])
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isTypingBeside(event.target, sheet.current)) return
    if (document.querySelector(overlays) === null && !isWriting(sheet.current)) onClose()
  })
  useEffect(() => {
    // Before anything else hears of it: what closes at this key must still be there to be found.
    const listener = (event: KeyboardEvent) => onEscape(event)
    addEventListener('keydown', listener, { capture: true })
    return () => removeEventListener('keydown', listener, { capture: true })
  }, [])
  return createPortal(
    <aside
      ref={sheet}
      aria-labelledby={titleId}
      className={`${sheetLook} z-30 w-[36rem] border-l border-line shadow-float transition-[opacity,translate] duration-[180ms] starting:translate-x-4 starting:opacity-0`}
    >
      <SheetContent
        {...props}
        heading={
          <h2 ref={heading} id={titleId} tabIndex={-1} aria-live="polite" className={titleLook}>
            {title}
          </h2>
        }
        close={
          <button type="button" aria-label={props.closeLabel} className={iconButtonLook} onClick={onClose}>
            <X aria-hidden />
          </button>
        }
      />
    </aside>,
    document.body,
  )
}

function CoveringSheet(props: SheetProps) {
  const { title, onClose } = props
  const sheet = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Base.Root
      open
      onOpenChange={(open, { reason }) => !open && (reason === 'close-press' || !isWriting(sheet.current)) && onClose()}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Base.Popup
          ref={sheet}
          initialFocus={heading}
          finalFocus={false}
          className={`${sheetLook} z-40 w-full max-w-[36rem] shadow-float`}
        >
          <SheetContent
            {...props}
            heading={
              <Base.Title ref={heading} tabIndex={-1} className={titleLook}>
                {title}
              </Base.Title>
            }
            close={
              <Base.Close aria-label={props.closeLabel} className={iconButtonLook}>
                <X aria-hidden />
              </Base.Close>
            }
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

type SheetContentProps = SheetProps & { heading: ReactNode; close: ReactNode }

function SheetContent({ tools, heading, close, children }: SheetContentProps) {
  return (
    <>
      <div className="flex shrink-0 items-center gap-1 border-b border-line bg-surface py-1.5 pr-2 pl-3 sm:pl-4">
        {tools}
        {close}
      </div>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto overscroll-contain px-4 pt-5 pb-12 sm:px-6">
        {heading}
        {children}
      </div>
    </>
  )
}

const sheetLook = 'fixed inset-y-0 right-0 flex flex-col bg-canvas text-ink outline-none'
const titleLook = 'font-serif text-xl wrap-anywhere outline-none'

/** What a press of Escape belongs to while it is open. */
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/** What is half written in the sheet is not thrown away by a key or by a click beside it. */
function isWriting(sheet: RefObject<HTMLElement | null>['current']): boolean {
  return [...(sheet?.querySelectorAll('textarea') ?? [])].some(({ value }) => value.trim() !== '')
}

/** In a field of the page, the key belongs to the field. */
function isTypingBeside(target: EventTarget | null, sheet: HTMLElement | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select') && !sheet?.contains(target)
}
