import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runPromtool } from '@carillon/stack/services'
import { collectDefaultMetrics } from 'prom-client'
import { expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import { createResources } from '../resources/create-resources.ts'
import { getMetrics } from './get-metrics.ts'

const monitoring = join(root, 'deploy/monitoring')
const alertPages = join(root, 'docs/alerts')

type Panel = { title: string; targets: { expr: string }[] }
type Dashboard = { title: string; panels: Panel[] }

async function readDashboards(): Promise<Dashboard[]> {
  const folder = join(monitoring, 'dashboards')
  const files = (await readdir(folder)).toSorted()
  return Promise.all(files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as Dashboard))
}

const readRules = () => readFile(join(monitoring, 'alerts.yaml'), 'utf8')

async function readExpressions(): Promise<string[]> {
  const dashboards = await readDashboards()
  return dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
}

/** Every name that a server exports, with the three names under which a histogram appears. */
async function exportedNames(): Promise<Set<string>> {
  const { registry } = getMetrics({ resources: createResources<Context>() })
  collectDefaultMetrics({ register: registry })
  const metrics = await registry.getMetricsAsJSON()
  const names = metrics.flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`])
  return new Set(['up', ...names])
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\b(?:carillon|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name)
}

test('guarantee: every metric in the alert rules and dashboards is exported by the server', async () => {
  const exported = await exportedNames()
  const used = new Set([...namesIn(await readRules()), ...(await readExpressions()).flatMap(namesIn)])
  expect(used.size).toBeGreaterThan(30)
  expect([...used].filter((name) => !exported.has(name))).toEqual([])
})

test('guarantee: every metric of ours is shown in a dashboard or used by a rule', async () => {
  const { registry } = getMetrics({ resources: createResources<Context>() })
  const used = `${await readRules()} ${(await readExpressions()).join(' ')}`
  const unused = (await registry.getMetricsAsJSON()).map(({ name }) => name).filter((name) => !used.includes(name))
  expect(unused).toEqual([])
})

test('guarantee: every alert has a page with its meaning and what to do, and a test; no page is left over', async () => {
  const rules = await readRules()
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  expect(alerts.length).toBeGreaterThan(10)
  const pages = (await readdir(alertPages)).filter((file) => file !== 'README.md')
  expect(pages.toSorted()).toEqual(alerts.map((name) => `${name}.md`).toSorted())
  const tests = await readFile(join(monitoring, 'alerts.test.yaml'), 'utf8')
  for (const name of alerts) {
    const page = await readFile(join(alertPages, `${name}.md`), 'utf8')
    expect(page).toMatch(new RegExp(`^# ${name}\n[^]+## What it means\n[^]+## What to do\n\n1\\. `))
    expect(rules).toContain(`runbook_url: https://github.com/carillon-dev/carillon/blob/main/docs/alerts/${name}.md`)
    expect(tests).toContain(`  - name: ${name}\n`)
  }
})

test('guarantee: the alert rules fire for their faults and stay quiet otherwise', { timeout: 120_000 }, async () => {
  await runPromtool(['check', 'config', join(monitoring, 'prometheus.yaml')])
  expect(await runPromtool(['test', 'rules', join(monitoring, 'alerts.test.yaml')])).toContain('SUCCESS')
})

test('guarantee: Prometheus understands every expression of the dashboards', { timeout: 120_000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-rules-'))
  const rules = (await readExpressions()).map((expr, at) => ({ record: `expression_${at}`, expr }))
  const file = join(dir, 'rules.json')
  await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboards', rules }] }))
  expect(await runPromtool(['check', 'rules', file])).toContain(`SUCCESS: ${rules.length} rules found`)
  await rm(dir, { recursive: true })
})

test('the two dashboards have titles and no panel without a query', async () => {
  const dashboards = await readDashboards()
  expect(dashboards.map(({ title }) => title)).toEqual(['Carillon: Publishing', 'Carillon: Service health'])
  expect(dashboards.flatMap(({ panels }) => panels).filter(({ targets }) => targets.length === 0)).toEqual([])
})
