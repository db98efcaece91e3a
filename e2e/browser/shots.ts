import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDesk, type DeskOptions } from './rig/desk.ts'
import { operatorEmail } from './rig/operator-email.ts'
import { signInNewPerson } from './rig/people.ts'
import type { Screen } from './rig/screen.ts'

const modules = import.meta.glob<{ screens: readonly Screen[] }>('./*/screens.ts', { eager: true })
const screens = Object.values(modules).flatMap((module) => module.screens)

const folder = join(import.meta.dirname, '../../.shots')
mkdirSync(folder, { recursive: true })

const looks: Readonly<Record<string, DeskOptions>> = {
  light: {},
  dark: { dark: true },
  phone: { phone: true },
  german: { language: 'de' },
}

const cases = screens.flatMap((screen) =>
  Object.entries(looks).map(([look, options]) => ({ name: `${screen.name}-${look}`, screen, options })),
)

test.each(cases)('$name', async ({ name, screen, options }) => {
  const desk = await openDesk({ ...options, expects: [400, 401, 403, 404, 409, 422] })
  const person = screen.isSignedOut
    ? { name: '', email: '', workspaceId: '', workspace: '' }
    : await signInNewPerson(desk, {
        simulated: true,
        workspace: 'Belfry Square',
        email: screen.isOperator ? operatorEmail : `ada.${randomBytes(2).toString('hex')}@example.com`,
      })
  await screen.open(desk.page, person)
  await desk.page.evaluate(() => document.fonts.ready.then(() => {}))
  await desk.page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', fullPage: options.phone === true })
  await desk.check()
  expect(await desk.page.title()).toContain('Carillon')
})
