import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runCommand } from '@carillon/stack/services'
import { parse, parseAllDocuments } from 'yaml'

export type Values = { [name: string]: unknown }
export type KubernetesObject = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> }
  spec: Record<string, unknown>
}
export type Rendered = { objects: KubernetesObject[] } | { error: string }

export const chartFolder = join(root, 'deploy/helm/carillon')

export const defaultValues: Values = parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8'))

/** The values that an operator must set. */
export const requiredValues: Values = {
  publicUrl: 'https://carillon.example',
  secretName: 'carillon',
  settings: { CARILLON_S3_BUCKET: 'bells' },
  engine: { ingressUrl: 'http://restate:8080', adminUrl: 'http://restate:9070', identityKeys: 'publickeyv1_abc' },
}

/** Renders the chart once for each of these values, which are merged over the defaults as Helm does. `folder` has the chart of another release. */
export async function renderChart(all: readonly Values[], folder = chartFolder): Promise<Rendered[]> {
  const work = mkdtempSync(join(tmpdir(), 'carillon-chart-'))
  try {
    const program = join(work, 'render')
    // Debian's packages of Go libraries are in this folder.
    const env = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(tmpdir(), 'carillon-go-cache') }
    await runCommand('go', ['build', '-o', program, join(root, 'deploy/helm/check/render.go')], { env }).catch(
      (error: unknown) => {
        const packages = 'golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev'
        throw new Error(`The chart's renderer cannot be built. Install ${packages} (Debian).`, { cause: error })
      },
    )
    const merged = all.map((values) => merge(defaultValues, values))
    const printed = await runCommand(program, [folder], { input: JSON.stringify(merged) })
    const results: { files?: Record<string, string>; error?: string }[] = JSON.parse(printed)
    return results.map(({ files, error }) => (files ? { objects: readObjects(files) } : { error: error ?? '' }))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Maps are merged; anything else is replaced. */
export function merge(base: Values, over: Values): Values {
  const merged = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name]
    merged[name] = isMap(before) && isMap(value) ? merge(before, value) : value
  }
  return merged
}

export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readObjects(files: Record<string, string>): KubernetesObject[] {
  return Object.entries(files)
    .filter(([name]) => name.endsWith('.yaml'))
    .flatMap(([name, text]) =>
      parseAllDocuments(text).flatMap((document) => {
        const [problem] = document.errors
        if (problem) throw new Error(`${name} is not YAML: ${problem.message}`)
        return document.contents === null ? [] : [document.toJS() as KubernetesObject]
      }),
    )
}
