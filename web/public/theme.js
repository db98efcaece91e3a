// Runs before the first paint, so that the page never flashes in the other theme. src/theme/theme.ts writes the same keys.
;(function () {
  let chosen = null
  let language = null
  try {
    chosen = localStorage.getItem('carillon.theme')
    language = localStorage.getItem('carillon.language')
  } catch {
    // Storage is blocked: the theme of the system is used.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  if (language) document.documentElement.lang = language
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', isDark ? '#111316' : '#fbf9f5')
})()
