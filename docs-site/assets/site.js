// A classic script, not a module: browsers refuse modules on pages that were opened from the disk.
;(function () {
  const html = document.documentElement
  const root = html.dataset.root ?? ''
  const byId = (id) => document.getElementById(id)

  const theme = byId('theme')
  function nameTheme() {
    theme.textContent = html.dataset.theme === 'dark' ? 'Light' : 'Dark'
  }
  nameTheme()
  theme.addEventListener('click', () => {
    html.dataset.theme = html.dataset.theme === 'dark' ? 'light' : 'dark'
    nameTheme()
    try {
      localStorage.setItem('carillon.theme', html.dataset.theme)
    } catch {
      // Storage is blocked: the choice holds for this page.
    }
  })

  const menu = byId('menu')
  menu.addEventListener('click', () => {
    const isOpen = menu.getAttribute('aria-expanded') !== 'true'
    menu.setAttribute('aria-expanded', String(isOpen))
    byId('navigation').classList.toggle('open', isOpen)
  })

  byId('version')?.addEventListener('change', (event) => {
    location.href = event.target.value
  })

  // The index is large, so it is loaded when a reader first searches.
  let ready = null
  function loadSearch() {
    ready ??= Promise.all([loadScript('assets/minisearch.js'), loadScript('assets/search-index.js')]).then(() =>
      MiniSearch.loadJSON(globalThis.carillonSearchIndex, {
        fields: ['title', 'heading', 'text'],
        storeFields: ['title', 'heading', 'excerpt'],
      }),
    )
    return ready
  }
  function loadScript(address) {
    return new Promise((done, fail) => {
      const script = document.createElement('script')
      script.src = root + address
      script.addEventListener('load', done)
      script.addEventListener('error', () => fail(new Error(`${address} could not be loaded`)))
      document.head.append(script)
    })
  }

  const dialog = byId('search')
  const query = byId('query')
  const results = byId('results')
  const found = byId('found')
  function openSearch() {
    dialog.showModal()
    query.select()
    void showResults()
  }
  byId('open-search').addEventListener('click', openSearch)
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!isShortcut || dialog.open) return
    event.preventDefault()
    openSearch()
  })
  query.addEventListener('input', () => void showResults())

  async function showResults() {
    const words = query.value.trim()
    let search
    try {
      search = await loadSearch()
    } catch (error) {
      found.textContent = `The search does not work: ${error.message}. Reload the page.`
      return
    }
    if (words !== query.value.trim()) return
    const hits = words ? findSections(search, words) : []
    found.textContent = words ? (hits.length > 0 ? `${hits.length} found` : `Nothing found for “${words}”.`) : ''
    results.replaceChildren(...hits.slice(0, 20).map(resultItem))
  }

  // Sections with all words come first; if there is none, sections with some of them are better than nothing.
  function findSections(search, words) {
    const options = { prefix: true, fuzzy: 0.15, boost: { title: 4, heading: 3 } }
    const all = search.search(words, { ...options, combineWith: 'AND' })
    return all.length > 0 ? all : search.search(words, { ...options, combineWith: 'OR' })
  }

  function resultItem({ id, title, heading, excerpt }) {
    const link = document.createElement('a')
    link.href = root + id
    link.append(textElement('strong', heading === title ? title : `${title} › ${heading}`), textElement('span', excerpt))
    // A result on the same page only changes the place on it, so the dialog must close.
    link.addEventListener('click', () => dialog.close())
    const item = document.createElement('li')
    item.append(link)
    return item
  }
  function textElement(name, text) {
    const element = document.createElement(name)
    element.textContent = text
    return element
  }

  // The arrow keys move through the results; Enter in the field opens the first.
  dialog.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement)
    if (event.key === 'Enter' && document.activeElement === query) {
      event.preventDefault()
      links[0]?.click()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const next = event.key === 'ArrowDown' ? at + 1 : at - 1
      ;(links[next] ?? (next < 0 ? query : links.at(-1)))?.focus()
    }
  })
})()
