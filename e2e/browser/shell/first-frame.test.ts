import { inflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDesk, origin } from '../rig/desk.ts'
import { signIn, signInNewPerson } from '../rig/people.ts'

/** How bright the top left corner of what the browser shows now is, from 0 to 255. */
async function readBrightness(page: Page): Promise<number> {
  const png = await page.screenshot({ clip: { x: 2, y: 2, width: 1, height: 1 } })
  const data: Buffer[] = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  // The only line begins with the number of its filter, which changes nothing in the first pixel.
  const [, red = 0, green = 0, blue = 0] = inflateSync(Buffer.concat(data))
  return Math.round((red + green + blue) / 3)
}

test.each([
  { dark: false, chosen: 'dark' },
  { dark: true, chosen: 'light' },
])('guarantee: the first frame has the theme that was chosen, and not that of the system: $chosen', async ({ dark, chosen }) => {
  const { page } = await openDesk({ dark })
  await page.goto('/sign-in')
  await page.evaluate((theme) => localStorage.setItem('carillon.theme', theme), chosen)
  // The app itself has not arrived yet: this is what a slow network shows for seconds.
  const { promise: isAllowed, resolve: allow } = Promise.withResolvers<undefined>()
  await page.route('**/assets/*.js', (route) => isAllowed.then(() => route.continue()))
  await page.goto('/sign-in', { waitUntil: 'commit' })
  await page.locator('#app').waitFor({ state: 'attached' })
  expect(await page.locator('#app').evaluate((app) => app.childElementCount)).toBe(0)
  const brightness = await readBrightness(page)
  expect(chosen === 'dark' ? 255 - brightness : brightness).toBeGreaterThan(220)
  allow(undefined)
  await page.getByLabel('Password', { exact: true }).waitFor()
  expect(Math.abs((await readBrightness(page)) - brightness)).toBeLessThan(4)
})

test('guarantee: a new browser shows a person no frame in another theme or language than theirs, and none without a page', async () => {
  const desk = await openDesk()
  const { workspaceId, email } = await signInNewPerson(desk)
  const preferences = { data: { theme: 'dark', locale: 'de' }, headers: { origin } }
  expect((await desk.context.request.patch('/api/me', preferences)).status()).toBe(200)

  const { page, context } = await openDesk()
  await signIn(context, email)
  // Slow enough for several frames before each answer, and the page comes long before the person's preferences.
  const slow = (pattern: RegExp, ms: number) =>
    page.route(pattern, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, ms))
      await route.continue()
    })
  await slow(/\/api\/me$/, 6000)
  await slow(/\/assets\/calendar/, 300)
  await page.addInitScript(() => {
    const frames: string[] = []
    Object.assign(globalThis, { frames })
    const note = () => {
      const main = document.querySelector('main')
      const { dataset, lang } = document.documentElement
      if (main) frames.push(`${dataset['theme']} ${lang} ${main.childElementCount > 0 ? 'page' : 'empty'}`)
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
  await page.goto(`/w/${workspaceId}/calendar`)
  await page.getByRole('heading', { level: 1, name: 'Kalender' }).waitFor()
  const frames = await page.evaluate(() => (globalThis as unknown as { frames: string[] }).frames)
  expect(frames.length).toBeGreaterThan(0)
  expect([...new Set(frames)]).toEqual(['dark de page'])
})
