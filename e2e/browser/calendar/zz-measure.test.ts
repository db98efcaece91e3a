import { test } from 'vitest'
import { openDesk } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'
import { insertSamplePosts } from '../rig/sample-posts.ts'
test('measure', async () => {
  for (const language of ['en', 'de'] as const) {
    const desk = await openDesk({ language })
    const { workspaceId } = await signInNewPerson(desk, { simulated: true })
    await insertSamplePosts(workspaceId)
    const { page } = desk
    for (const [width, height] of [[1280, 720], [1440, 900], [1024, 768], [800, 700]] as const) {
      await page.setViewportSize({ width, height })
      for (const view of ['month', 'week', 'agenda']) {
      await page.goto(`/w/${workspaceId}/calendar?view=${view}`)
      await page.locator('[data-entry]').first().waitFor()
      await page.waitForLoadState('networkidle')
      if (view === 'month') {
      const found = await page.evaluate(() => {
        const cells = [...document.querySelectorAll('[role=gridcell]')].filter((_, at) => at % 7 === 0).map((cell) => cell.getBoundingClientRect())
        return { top: cells[0]?.top, whole: cells.filter(({ bottom }) => bottom <= innerHeight).length, rows: cells.length, part: cells.reduce((sum, { top, bottom, height: h }) => sum + Math.max(0, Math.min(bottom, innerHeight) - top) / h, 0) }
      })
      console.log(language, width, height, JSON.stringify(found))
      }
      await page.screenshot({ path: `/tmp/shots/cal-${process.env['TAG'] ?? 'x'}-${language}-${width}-${view}.png` })
      }
    }
  }
})
