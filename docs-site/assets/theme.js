// Runs before the first paint, so that the page never flashes in the other theme.
;(function () {
  let chosen = null
  try {
    chosen = localStorage.getItem('carillon.theme')
  } catch {
    // Storage is blocked: the theme of the system is used.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
})()
