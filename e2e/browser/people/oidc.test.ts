import { freePort, startIdentityProvider } from '@carillon/stack/services'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSecondServer, type SecondServer } from '../../support/second-server.ts'
import { openDesk } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'

/** The pages of the provider have no icon and load a font from elsewhere. */
const ofProvider = [0, 404]

let server: SecondServer
let provider: Awaited<ReturnType<typeof startIdentityProvider>>
let origin: string

beforeAll(async () => {
  const port = await freePort()
  server = await startSecondServer((address) => ({
    CARILLON_PUBLIC_URL: address,
    CARILLON_OIDC_ISSUER: `http://127.0.0.1:${port}`,
    CARILLON_OIDC_CLIENT_ID: 'carillon',
    CARILLON_OIDC_CLIENT_SECRET: 'a secret of the provider',
    CARILLON_OIDC_NAME: 'Guild of Ringers',
  }))
  origin = server.baseUrl.replace(/\/api$/, '')
  provider = await startIdentityProvider({ port, redirectUri: `${origin}/auth/callback/oidc` })
}, 60_000)
afterAll(async () => {
  await server.stop()
  await provider.close()
})

/** From our button through the pages of the provider. */
async function signInThere(page: Page, login: string): Promise<void> {
  await page.getByRole('button', { name: 'Guild of Ringers' }).click()
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('guarantee: the identity provider signs in the person of its address, and the page that was asked for opens', async () => {
  const desk = await openDesk({ expects: ofProvider })
  const { page } = desk
  const { email, workspaceId } = await signInNewPerson(desk)
  await desk.context.clearCookies()
  await page.goto(`${origin}/w/${workspaceId}/posts`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await desk.check()
  await signInThere(page, email.replace('@example.com', ''))
  await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()
  expect(page.url()).toBe(`${origin}/w/${workspaceId}/posts`)
})

test('guarantee: an address that the identity provider has not verified signs in nobody, and the page says why', async () => {
  const desk = await openDesk({ expects: ofProvider })
  const { page } = desk
  const { email } = await signInNewPerson(desk)
  await desk.context.clearCookies()
  await page.goto(`${origin}/sign-in`)
  await signInThere(page, `unverified-${email.replace('@example.com', '')}`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByRole('alert').getByText('Sign in as you did before').waitFor()
  expect((await page.context().request.get(`${origin}/api/workspaces`)).status()).toBe(401)
})
