import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '@carillon/stack/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { merge, renderChart, requiredValues, type KubernetesObject } from '../chart/render-chart.ts'
import { copyRepository } from '../support/copy-repository.ts'

/**
 * Guarantee: the chart of a release installs the image of that release, and an upgrade and the way back leave the workers of the other one until
 * they have finished. It is packed and unpacked as a person gets it. Helm itself is not here: the chart is rendered as in `pnpm e2e chart`.
 */
let dir = ''
const charts: Record<string, string> = {}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-release-chart-'))
  const copy = join(dir, 'copy')
  await copyRepository(copy)
  const inCopy = (command: string, ...args: string[]) => runCommand(command, args, { cwd: copy })
  // The command that sets the version looks for leftovers with git.
  await inCopy('git', 'init', '--quiet')
  await inCopy('git', 'add', '--all')
  for (const version of ['1.0.0', '1.0.1']) {
    await inCopy(process.execPath, 'scripts/set-version.ts', version)
    const archive = join(dir, `carillon-chart-${version}.tgz`)
    await runCommand('tar', ['-czf', archive, '-C', join(copy, 'deploy/helm'), 'carillon'])
    const unpacked = join(dir, version)
    await mkdir(unpacked)
    await runCommand('tar', ['-xzf', archive, '-C', unpacked])
    charts[version] = join(unpacked, 'carillon')
  }
})

afterAll(() => rm(dir, { recursive: true, force: true }))

/** What Helm would send to a cluster in which these deployments run. */
async function install(version: string, cluster: readonly KubernetesObject[] = []): Promise<KubernetesObject[]> {
  const [result] = await renderChart([merge(requiredValues, { global: { cluster } })], charts[version])
  if (!result || 'error' in result) throw new Error(result?.error ?? 'nothing was rendered')
  return result.objects
}

/** As the cluster shows them: with the time at which they were created. */
function runningIn(objects: readonly KubernetesObject[], creationTimestamp: string): KubernetesObject[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment')
    .map((object) => ({ ...object, metadata: { ...object.metadata, creationTimestamp } }))
}

const imagesOf = (objects: readonly KubernetesObject[]) =>
  [...new Set([...JSON.stringify(objects).matchAll(/"image":"([^"]+)"/g)].map(([, image = '']) => image))].toSorted()

const workersOf = (objects: readonly KubernetesObject[]) =>
  objects
    .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name.includes('-worker-'))
    .map(imageOf)
    .toSorted()

const imageOf = (object: KubernetesObject) => imagesOf([object]).join(' ')

test('the first release runs its own image and nothing else', async () => {
  const first = await install('1.0.0')
  expect(imagesOf(first)).toEqual(['carillon:1.0.0'])
  expect(JSON.stringify(first)).not.toContain('0.1.0')
})

test('the next release is installed beside the workers of the first, and the first again beside those of the next', async () => {
  const first = runningIn(await install('1.0.0'), '2026-01-01T00:00:00Z')
  const next = await install('1.0.1', first)
  expect(workersOf(next)).toEqual(['carillon:1.0.0', 'carillon:1.0.1'])
  const upgraded = runningIn(next, '2026-02-01T00:00:00Z').map((object) =>
    imageOf(object) === 'carillon:1.0.0'
      ? { ...object, metadata: { ...object.metadata, creationTimestamp: '2026-01-01T00:00:00Z' } }
      : object,
  )
  const back = await install('1.0.0', upgraded)
  expect(workersOf(back)).toEqual(['carillon:1.0.0', 'carillon:1.0.1'])
  // People and programs reach one release only: the one that was installed last.
  const api = back.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-api'))
  expect(imagesOf(api)).toEqual(['carillon:1.0.0'])
})
