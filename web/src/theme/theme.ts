export type Theme = 'light' | 'dark' | 'system'

const key = 'carillon.theme'
const darkQuery = '(prefers-color-scheme: dark)'
const canvas = { light: '#fbf9f5', dark: '#111316' }

/** The theme that the person chose in this browser. public/theme.js reads the same key before the first paint. */
export function readTheme(): Theme {
  const stored = readStored()
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function setTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
  applyTheme(theme)
}

/** Follows the system while the person has not chosen a theme. */
export function followSystemTheme(): void {
  matchMedia(darkQuery).addEventListener('change', () => applyTheme(readTheme()))
}

function applyTheme(theme: Theme): void {
  const shown = theme === 'system' ? (matchMedia(darkQuery).matches ? 'dark' : 'light') : theme
  document.documentElement.dataset['theme'] = shown
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', canvas[shown])
}

function readStored(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
