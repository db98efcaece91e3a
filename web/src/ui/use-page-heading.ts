import { useEffect, useRef, type RefObject } from 'react'
import { readOperator } from '../theme/operator.ts'

let isFirstPage = true

/**
 * For the h1 of a page: the title of the window says the same, and after a change of page the focus goes to it, so that a screen reader
 * reads it. The first page is read from its beginning anyway, and a dialog that was opened while the page loaded keeps the focus.
 */
export function usePageHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${readOperator().name}`
  }, [title])
  useEffect(() => {
    if (!isFirstPage && !isInOpenDialog(document.activeElement)) heading.current?.focus({ preventScroll: true })
    isFirstPage = false
  }, [])
  return heading
}

/** A dialog that is closing does not count: it gives the focus away. */
function isInOpenDialog(element: Element | null): boolean {
  return (element?.closest('[role="dialog"][data-open], [role="alertdialog"][data-open]') ?? null) !== null
}
