import type { AnyRouter } from '@tanstack/react-router'

/**
 * After a change of page the focus goes to its heading, so that a screen reader reads it, and the title of the window is the heading. A
 * change of the query only, such as a filter, moves nothing.
 */
export function followPages(router: AnyRouter): void {
  let shown: string | null = null
  router.subscribe('onRendered', ({ toLocation }) => {
    const heading = document.querySelector('h1')
    if (heading) document.title = `${heading.textContent} · Carillon`
    if (shown !== null && shown !== toLocation.pathname) heading?.focus({ preventScroll: true })
    shown = toLocation.pathname
  })
}
