import { expect, test } from 'vitest'
import { account, openComposer, readApi, textField, waitUntilSaved } from '../compose/writing.ts'
import { openDesk } from '../rig/desk.ts'
import { pressOn, typeInto } from '../rig/keyboard.ts'

test.each([{ dark: false }, { phone: true, dark: true }])(
  'guarantee: an admin gives links parameters, and the composer shows and counts them as they are sent (%o)',
  async (options) => {
    const desk = await openDesk({ ...options, expects: [422] })
    const { page } = desk
    const { workspaceId } = await openComposer(desk)
    await page.goto(`/w/${workspaceId}/settings`)
    const group = page.getByRole('region', { name: 'Parameters for links' })
    const example = group.locator('code')
    expect(await example.innerText()).toBe('https://example.com/bells?utm_source=platform-name&utm_medium=social')
    // A name that is none is refused at its field.
    await typeInto(page, group.getByLabel('Sites'), 'tower.example, com')
    await pressOn(page, group.getByRole('button', { name: 'Use these parameters' }))
    await group.getByText('Must be a host name such as example.com.').waitFor()
    await group.getByLabel('Sites').fill('tower.example')
    await group.getByLabel('utm_campaign').fill('{account}')
    expect(await example.innerText()).toBe(
      'https://tower.example/bells?utm_source=platform-name&utm_medium=social&utm_campaign=account-name',
    )
    await desk.check()
    await pressOn(page, group.getByRole('button', { name: 'Use these parameters' }))
    await group.getByRole('button', { name: 'Add no parameters' }).waitFor()

    await page.goto(`/w/${workspaceId}/compose`)
    await account(page, 'Bluesky').click()
    const before = 300
    const text = 'Bells: https://tower.example/peal.'
    await textField(page).fill(text)
    const { slug } = (
      await readApi<{ slug: string; platform: string }[]>(page, `/workspaces/${workspaceId}/connections`, workspaceId)
    ).find(({ platform }) => platform === 'bluesky') ?? { slug: '' }
    const parameters = `?utm_source=bluesky&utm_medium=social&utm_campaign=${slug}`
    await page.getByRole('region', { name: 'Preview' }).getByText(`https://tower.example/peal${parameters}.`).waitFor()
    const left = Number((await page.locator('#compose-count').innerText()).match(/\d+/)?.[0])
    expect(left).toBe(before - text.length - parameters.length)
    await waitUntilSaved(page)
    expect(await textField(page).inputValue()).toBe(text)
    await desk.check()

    await page.goto(`/w/${workspaceId}/settings`)
    await pressOn(page, group.getByRole('button', { name: 'Add no parameters' }))
    await group.getByRole('button', { name: 'Add no parameters' }).waitFor({ state: 'detached' })
  },
)
