import { describeSettings } from '@carillon/server/settings'
import { expect, test } from 'vitest'
import { settingsReference } from './settings-reference.ts'

/** Guarantee: a setting that the server reads is documented. */
test('the page and the example file contain every setting', async () => {
  const files = new Map((await settingsReference.make()).map(({ path, text }) => [path, text]))
  const settings = describeSettings().flatMap((group) => group.settings)
  expect(settings.length).toBeGreaterThan(40)
  for (const { setting } of settings) {
    expect(files.get('docs/configuration.md')).toContain(`| \`${setting.name}\` | `)
    expect(files.get('.env.example')).toMatch(new RegExp(`^#?${setting.name}=.`, 'm'))
  }
})

test('the example file sets only what is required', async () => {
  const example = (await settingsReference.make()).find(({ path }) => path === '.env.example')?.text ?? ''
  const set = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  expect(set).toEqual(['DATABASE_URL', 'CARILLON_SECRET_KEYS'])
})
