/** The script of every page: times in the reader's zone, and feeds that show new posts by themselves. */
export const pageScript = `const shortTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

function showLocalTimes() {
  for (const time of document.querySelectorAll('time')) time.textContent = shortTime.format(new Date(time.dateTime))
}
showLocalTimes()

const feed = document.querySelector('#feed')
let shown
async function refresh() {
  // A video that plays, or a text that is being selected, must not be replaced.
  const isBusy = [...feed.querySelectorAll('video')].some((video) => !video.paused) || String(getSelection()) !== ''
  if (document.hidden || isBusy) return
  const response = await fetch(location.pathname + '?part=1').catch(() => undefined)
  if (!response?.ok) return
  const next = await response.text()
  if (shown !== undefined && next !== shown) {
    const focused = feed.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
    feed.innerHTML = next
    showLocalTimes()
    if (focused !== null) [...feed.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus()
  }
  shown = next
}
if (feed) {
  refresh()
  setInterval(refresh, 2000)
}
`
