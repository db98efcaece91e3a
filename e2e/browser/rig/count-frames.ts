import type { Page } from 'playwright-core'

/** How many frames a second the page draws while something is done with it. */
export async function countFrames(page: Page, work: () => Promise<void>): Promise<number> {
  const counter = await page.evaluateHandle(() => {
    const beganMs = performance.now()
    let frames = 0
    let next = 0
    const count = () => {
      frames++
      next = requestAnimationFrame(count)
    }
    next = requestAnimationFrame(count)
    return {
      stop() {
        cancelAnimationFrame(next)
        return (1000 * frames) / (performance.now() - beganMs)
      },
    }
  })
  await work()
  return counter.evaluate((started) => started.stop())
}
