import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const env = { CARILLON_URL: 'https://carillon.example', CARILLON_API_KEY: 'sk_1' }

test('the address is taken with and without /api', () => {
  for (const url of [
    'https://carillon.example',
    'https://carillon.example/',
    'https://carillon.example/api',
    'https://carillon.example/api/',
  ])
    expect(readSettings({ ...env, CARILLON_URL: url }).origin).toBe('https://carillon.example')
  expect(readSettings({ ...env, CARILLON_URL: 'https://example.org/bells/api' }).origin).toBe('https://example.org/bells')
})

test('everything is allowed that the key allows, unless the settings narrow it', () => {
  expect(readSettings(env)).toMatchObject({ allow: 'publish', workspaceId: null })
  expect(readSettings({ ...env, CARILLON_MCP_ALLOW: 'draft', CARILLON_WORKSPACE_ID: 'w' })).toMatchObject({
    allow: 'draft',
    workspaceId: 'w',
  })
})

test.each([
  [{}, 'CARILLON_URL'],
  [{ ...env, CARILLON_URL: 'carillon.example' }, 'CARILLON_URL'],
  [{ ...env, CARILLON_API_KEY: ' ' }, 'CARILLON_API_KEY'],
  [{ ...env, CARILLON_MCP_ALLOW: 'all' }, 'CARILLON_MCP_ALLOW'],
])('a setting that is missing or wrong is named', (wrong, name) => {
  expect(() => readSettings(wrong)).toThrow(name)
})
