const key = 'carillon.reloaded'
const quietMs = 10_000

/**
 * After an update of the server, an old tab asks for files that are gone. The page is then loaded again, once: if that does not help, the
 * error is shown.
 */
export function reloadOnceAfterUpdate(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (Date.now() - last < quietMs) return
    sessionStorage.setItem(key, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}
