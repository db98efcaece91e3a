import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Problem = { rule: string; selector: string | null; text: string }

/** What axe finds against WCAG 2.2 AA, one line each, with the element. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  const problems: Problem[] = []
  for (const problem of await runAxe(page)) if (await isLasting(page, problem)) problems.push(problem)
  return problems.map(({ text }) => text)
}

/** A bar at the edge of the window may cover part of a button, until the page is scrolled. Such a button is looked at again in the middle. */
async function isLasting(page: Page, { rule, selector, text }: Problem): Promise<boolean> {
  if (rule !== 'target-size' || selector === null || !text.includes('obscured')) return true
  await page.locator(selector).evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
  return (await runAxe(page)).some((each) => each.rule === rule && each.selector === selector)
}

async function runAxe(page: Page): Promise<Problem[]> {
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: tags, resultTypes: ['violations'] })
    // The other mode opens a second page for the result and takes several times as long. It is for frames of other origins; there are none.
    .setLegacyMode()
    .analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, target, failureSummary = '' }) => ({
        rule: id,
        selector: typeof target[0] === 'string' ? target[0] : null,
        text: `${id}: ${html} ${failureSummary}`,
      })),
    )
}
