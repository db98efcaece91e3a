import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { callSimulator } from '../test-stack.ts'
import { openDesk, type Desk, type DeskOptions } from './rig/desk.ts'
import { operatorEmail } from './rig/operator-email.ts'
import { createWorkspace, signInNewPerson, type TestPerson } from './rig/people.ts'
import type { Screen } from './rig/screen.ts'

const modules = import.meta.glob<{ screens: readonly Screen[] }>('./*/screens.ts', { eager: true })
const screens = Object.values(modules)
  .flatMap((module) => module.screens)
  .toSorted((a, b) => Number(a.emptiesInstall ?? false) - Number(b.emptiesInstall ?? false))

const folder = join(import.meta.dirname, '../../.shots')
mkdirSync(folder, { recursive: true })

const workspace = 'Belfry Square'
/** The dark picture of a screen is taken of the same page as the light one. */
const looks: Readonly<Record<string, DeskOptions>> = {
  light: {},
  phone: { phone: true },
  german: { language: 'de' },
}

type Visitor = { desk: Desk; person: TestPerson }
const visitors = new Map<string, Promise<Visitor>>()

/** One window for each look and kind of person: signing up and loading the app take longer than everything else here. */
function visitorFor({ isSignedOut, isOperator }: Screen, look: string): Promise<Visitor> {
  const kind = `${look} ${isSignedOut ? 'out' : isOperator ? 'operator' : 'in'}`
  const known = visitors.get(kind)
  if (known) return known
  const open = async (): Promise<Visitor> => {
    const desk = await openDesk({ ...looks[look], expects: [400, 401, 403, 404, 409, 412, 422], isShared: true })
    if (isSignedOut) return { desk, person: { name: '', email: '', workspaceId: '', workspace: '' } }
    const email = isOperator ? operatorEmail : `ada.${look}@example.com`
    return { desk, person: await signInNewPerson(desk, { workspace, email }) }
  }
  const opened = open()
  visitors.set(kind, opened)
  return opened
}

/** Makes the window as high as the page, so that what is fixed to its lower edge is there. A dialog covers the page: then it stays. */
async function showWhole(page: Page): Promise<void> {
  if ((await page.getByRole('dialog').count()) + (await page.getByRole('alertdialog').count()) > 0) return
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width: 390, height: Math.min(2000, Math.max(844, height)) })
}

async function takePicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

// All workspaces have the same name, and so the same simulated accounts: the limits of one account are too low for all of them.
beforeAll(() => callSimulator('POST', 'settings', { rateLimits: false }).then(() => {}))

const cases = screens.flatMap((screen) => Object.keys(looks).map((look) => ({ name: `${screen.name}-${look}`, screen, look })))

test.each(cases)('$name', async ({ name, screen, look }) => {
  const { desk, person } = await visitorFor(screen, look)
  const { context } = desk
  const workspaceId = screen.isSignedOut ? '' : await createWorkspace({ context }, { simulated: true, workspace })
  const page = await context.newPage()
  try {
    await screen.open(page, { ...person, workspaceId })
    await page.evaluate(() => document.fonts.ready.then(() => {}))
    if (look === 'phone') await showWhole(page)
    await takePicture(page, name)
    if (look === 'light') {
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.waitForTimeout(300)
      await takePicture(page, `${screen.name}-dark`)
    }
    expect(await page.title()).toContain('Carillon')
    expect(await desk.takeProblems()).toEqual([])
  } finally {
    await page.close()
  }
})
