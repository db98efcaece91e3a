import { expect, test } from 'vitest'
import { publishOn } from '../analytics/publish.fixture.ts'
import { uploadPictures } from '../media/pictures.fixture.ts'
import { openDesk } from '../rig/desk.ts'
import { operatorEmail } from '../rig/operator-email.ts'
import { signInNewPerson } from '../rig/people.ts'

test.each([{ dark: false }, { phone: true, dark: true }])(
  'guarantee: an operator sees how late posts are, results, tokens, queues, tasks and connections (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { page, context } = desk
    const { workspaceId } = await signInNewPerson(desk, { simulated: true, email: operatorEmail })
    await publishOn(context, workspaceId, ['mastodon'])
    await page.goto(`/w/${workspaceId}/media`)
    await uploadPictures(page, ['bells.png'])
    await page.goto(`/w/${workspaceId}/settings`)
    await page.getByRole('link', { name: 'Server status' }).click()
    await page.getByRole('heading', { level: 2, name: 'Server status' }).waitFor()
    await page.locator('.recharts-bar-rectangle').first().waitFor()
    const cell = (table: string, row: RegExp) => page.getByRole('region', { name: table }).getByRole('row', { name: row })
    await cell('Results', /^Mastodon [1-9]/).waitFor()
    await cell('Accounts and tokens', /^Mastodon [1-9]/).waitFor()
    await cell('What waits', /^Webhook deliveries \d/).waitFor()
    await cell('Tasks of the worker', /^Take up due posts Running/).waitFor()
    await page.getByRole('meter', { name: 'For work across workspaces' }).waitFor()
    await page.getByText('The same as a table').click()
    await page.getByText(/in [\d,]+ workspaces? with files/).waitFor()
    await cell('Storage', /[kMG]B/)
      .first()
      .waitFor()
    await page.getByRole('columnheader', { name: '95 % within' }).waitFor()
    await desk.check()
  },
)

test('guarantee: what is wrong stands at the top, with the page that says what to do', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { email: operatorEmail })
  const answer = await desk.context.request.get('/operator/figures')
  const { data } = (await answer.json()) as { data: { queues: object } }
  const queues = { ...data.queues, oldestOverdueSeconds: 300, overdue: 7 }
  await page.route('**/operator/figures', (route) => route.fulfill({ json: { success: true, data: { ...data, queues } } }))
  await page.goto(`/w/${workspaceId}/settings/operator`)
  const alert = page.getByRole('alert')
  await alert.getByText('A post is 5 min past its time').waitFor()
  await alert.getByText('docs/alerts/CarillonPostsOverdue.md').waitFor()
  await desk.checkBothThemes()
})

test('guarantee: a person who is no operator sees neither the link nor the figures', async () => {
  const desk = await openDesk({ expects: [403] })
  const { page, context } = desk
  const { workspaceId } = await signInNewPerson(desk)
  await page.goto(`/w/${workspaceId}/settings/operator`)
  await page.getByText('Only the operators of this installation can see this.').waitFor()
  expect(await page.getByRole('link', { name: 'Server status' }).count()).toBe(0)
  expect((await context.request.get('/operator/figures')).status()).toBe(403)
  await desk.check()
})
