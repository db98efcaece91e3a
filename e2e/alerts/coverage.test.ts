import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '@carillon/stack/services'
import { expect, test } from 'vitest'

test('guarantee: every alert rule has a real fault here that raises it', async () => {
  const rules = await readFile(join(root, 'deploy/monitoring/alerts.yaml'), 'utf8')
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  const tests = (await Promise.all(files.map((file) => readFile(join(import.meta.dirname, file), 'utf8')))).join('\n')
  // Only what is waited for counts; an alert that may fire besides does not.
  const waited = [...tests.matchAll(/(?:const alerts = |waitForAlerts\()(\[[^\]]*\])/g)].map(([, list = '']) => list).join(' ')
  const withoutWorker = /const withoutWorker = (\[[^\]]*\])/.exec(tests)?.[1] ?? ''
  const expected = waited.includes('...withoutWorker') ? `${waited} ${withoutWorker}` : waited
  expect(alerts.filter((name) => !expected.includes(`'${name}'`))).toEqual([])
})
