import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkTypes } from './check-types.ts'
import {
  chartFolder,
  defaultValues,
  isMap,
  merge,
  renderChart,
  requiredValues,
  type KubernetesObject,
  type Rendered,
  type Values,
} from './render-chart.ts'
import { runningBefore, switchedValues } from './switched-values.data.ts'

const paths = Object.keys(switchedValues)
const isValid = new Ajv({ allErrors: true, strict: false }).compile(
  JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')),
)

/** Each value alone, before and after it is switched; then extremes together. */
const before = paths.map((path) => merge(requiredValues, switchedValues[path]?.with ?? {}))
const after = paths.map((path, at) => merge(before[at] ?? {}, valuesAt(path, switchedValues[path]?.value)))
const together = [
  requiredValues,
  merge(
    paths.reduce((values, path) => merge(values, valuesAt(path, switchedValues[path]?.value)), requiredValues),
    { networkPolicy: { enabled: true }, migration: { enabled: true } },
  ),
  merge(requiredValues, { worker: { autoscaling: { kind: 'keda', prometheusUrl: 'http://prometheus:9090' } } }),
  merge(requiredValues, runningBefore),
]
const withoutRequired = ['publicUrl', 'secretName', 'engine.ingressUrl', 'engine.adminUrl', 'engine.identityKeys']
const incomplete = [
  ...withoutRequired.map((path) => merge(requiredValues, valuesAt(path, ''))),
  merge(requiredValues, valuesAt('settings', { CARILLON_S3_BUCKET: '' })),
  merge(requiredValues, { worker: { autoscaling: { kind: 'keda' } } }),
  merge(requiredValues, { monitoring: { podMonitor: { enabled: true } } }),
]
const missing = [...withoutRequired, 'media', 'prometheusUrl', 'healthFrom']

let rendered: Rendered[] = []
beforeAll(async () => {
  rendered = await renderChart([...before, ...after, ...together, ...incomplete])
})

const renderedBefore = () => rendered.slice(0, paths.length)
const renderedAfter = () => rendered.slice(paths.length, 2 * paths.length)
const renderedTogether = () => rendered.slice(2 * paths.length, 2 * paths.length + together.length)
const renderedIncomplete = () => rendered.slice(-incomplete.length)
const complete = () => [...renderedBefore(), ...renderedAfter(), ...renderedTogether()].map(objectsOf)
const standard = () => objectsOf(renderedTogether()[0])

/** Guarantee: whatever an operator switches, the chart renders objects that Kubernetes knows. */
describe('rendering', () => {
  test('the list of switched values has every value of the chart', () => {
    expect(leavesOf(defaultValues).toSorted()).toEqual(paths.toSorted())
  })

  test('every value has an effect', () => {
    const idle = paths.filter((_path, at) => JSON.stringify(renderedBefore()[at]) === JSON.stringify(renderedAfter()[at]))
    expect(idle).toEqual([])
  })

  test("every object has the shape of Kubernetes' schemas", async () => {
    expect(await checkTypes(complete().flat())).toBe('')
  })

  test('the check of the shape finds a misspelt field, a wrong type and a missing field', async () => {
    const [deployment] = standard().filter(({ kind }) => kind === 'Deployment')
    if (!deployment) throw new Error('no deployment was rendered')
    for (const wrong of [{ replica: 2 }, { replicas: 'two' }, { selector: undefined }]) {
      expect(await checkTypes([{ ...deployment, spec: { ...deployment.spec, ...wrong } }])).toContain('error TS')
    }
  })

  test('no name is used twice, and names fit into 63 characters', () => {
    for (const objects of complete()) {
      const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      expect(new Set(names).size).toBe(names.length)
      expect(objects.filter(({ metadata }) => metadata.name.length > 63)).toEqual([])
    }
  })

  test.each(missing)('without %s, the chart says what is missing', (name) => {
    const result = renderedIncomplete()[missing.indexOf(name)]
    expect(result).toEqual({ error: expect.stringContaining(name) })
  })
})

describe('values.schema.json', () => {
  test('accepts the defaults and every switched value', () => {
    for (const values of [...before, ...after, ...together]) {
      isValid(merge(defaultValues, values))
      expect(isValid.errors).toBeNull()
    }
  })

  test.each<[string, unknown]>([
    ['api.replica', 2],
    ['api.replicas', '2'],
    ['worker.autoscaling.kind', 'lag'],
    ['publicUrl', 'carillon.example'],
    ['settings', { DATABASE_URL: 'postgres://secret' }],
    ['engine.identityKeys', 'privatekey'],
    ['service.port', 0],
  ])('refuses %s = %j', (path, value) => {
    expect(isValid(merge(defaultValues, valuesAt(path, value)))).toBe(false)
  })
})

describe('security and operation', () => {
  const pods = () =>
    complete()
      .flat()
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job' || kind === 'Pod')
      .map(podOf)

  /** Guarantee: the pods run in a namespace with the "restricted" pod security standard, and cannot write outside of their volumes. */
  test('every pod is restricted', () => {
    for (const { securityContext, containers, ...pod } of pods()) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(pod).toMatchObject({ automountServiceAccountToken: false })
      expect(pod).not.toHaveProperty('hostNetwork')
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      }
    }
  })

  test('probes ask the health port, and readiness does not depend on the engine', () => {
    const containers = standard()
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap((each) => podOf(each).containers)
    expect(containers).toHaveLength(2)
    for (const container of containers) {
      expect(container).toMatchObject({
        livenessProbe: { httpGet: { path: '/health/live', port: 'health' } },
        readinessProbe: { httpGet: { path: '/health/accepting', port: 'health' } },
        ports: expect.arrayContaining([{ name: 'health', containerPort: 9081 }]),
      })
    }
  })

  test('workers of each release have an address of their own, which leads to them only', () => {
    const objects = objectsOf(renderedAfter()[paths.indexOf('previousReleases')])
    const services = objects.filter(({ kind, metadata }) => kind === 'Service' && metadata.name.includes('-worker-'))
    expect(services.map(({ metadata }) => metadata.name)).toEqual([
      `bells-carillon-worker-${slugOfVersion()}`,
      'bells-carillon-worker-v0-9-1',
      'bells-carillon-worker-v0-9-0',
    ])
    for (const { metadata, spec } of services) {
      const selector = JSON.stringify(spec['selector'])
      const workers = objects.filter(({ kind, spec: { selector: own } }) => {
        return kind === 'Deployment' && isMap(own) && JSON.stringify(own['matchLabels']) === selector
      })
      expect(workers.map((each) => each.metadata.name)).toEqual([metadata.name])
      const [worker] = workers
      const env = worker ? podOf(worker).containers[0]?.env : []
      expect(env).toContainEqual({ name: 'CARILLON_WORKER_URL', value: `http://${metadata.name}:9080` })
    }
  })

  /** Guarantee: an upgrade does not take away the workers on which runs have begun, also if nobody thought of it. */
  test('one worker of the release before stays without being named, and no older one', () => {
    const workersIn = (objects: readonly KubernetesObject[]) =>
      objects.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name.includes('-worker-'))
    const [, old, ...others] = workersIn(objectsOf(renderedTogether().at(-1)))
    expect(others).toEqual([])
    expect(old).toMatchObject({ metadata: { name: 'bells-carillon-worker-0-0-9' }, spec: { replicas: 1 } })
    expect(workersIn(standard())).toHaveLength(1)
  })

  test('the digest is for the release that is installed, and earlier ones keep their tags', () => {
    const images = objectsOf(renderedTogether()[1])
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .flatMap((each) => podOf(each).containers.map(({ image }) => image))
    const digest = `example/carillon@sha256:${'0'.repeat(64)}`
    expect([...new Set(images)].toSorted()).toEqual(['example/carillon:v0.9.0', 'example/carillon:v0.9.1', digest].toSorted())
  })

  test('Prometheus finds the pods under a job name that the rules look for, and gets all rules', () => {
    const objects = objectsOf(renderedTogether()[1])
    const monitor = objects.find(({ kind }) => kind === 'PodMonitor')
    expect(monitor?.spec).toMatchObject({ jobLabel: 'app.kubernetes.io/name', podMetricsEndpoints: [{ port: 'health' }] })
    const rules = parse(readFileSync(join(chartFolder, '../../monitoring/alerts.yaml'), 'utf8'))
    expect(objects.find(({ kind }) => kind === 'PrometheusRule')?.spec).toEqual(rules)
    expect(objects.find(({ kind }) => kind === 'ConfigMap')).toMatchObject({
      data: { 'carillon-publishing.json': expect.stringContaining('"uid": "carillon-publishing"') },
    })
  })

  test('only the engine reaches the workers, and only Carillon reaches a protected engine and database', () => {
    const objects = objectsOf(renderedTogether()[1])
    const policy = (name: string) =>
      objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)?.spec
    const ours = { matchLabels: { 'app.kubernetes.io/name': 'carillon', 'app.kubernetes.io/instance': 'bells' } }
    const plain = standard().find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.endsWith('-worker'))
    expect(plain?.spec['ingress']).toEqual([
      { ports: [{ protocol: 'TCP', port: 'engine' }], from: [{ podSelector: { matchLabels: { app: 'restate' } } }] },
    ])
    expect(policy('bells-carillon-engine')).toMatchObject({
      podSelector: { matchLabels: { app: 'engine' } },
      ingress: expect.arrayContaining([{ ports: tcp(8080, 9070), from: [{ podSelector: ours }] }]),
    })
    expect(policy('bells-carillon-database')).toMatchObject({
      podSelector: { matchLabels: { app: 'database' } },
      ingress: expect.arrayContaining([{ ports: tcp(6432), from: [{ podSelector: ours }] }]),
    })
  })

  test('the migration runs before the new pods, and can have a secret of its own', () => {
    const job = objectsOf(renderedAfter()[paths.indexOf('migration.secretName')]).find(({ kind }) => kind === 'Job')
    expect(job?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
    expect(job && podOf(job).containers[0]).toMatchObject({ args: ['migrate'], envFrom: [{ secretRef: { name: 'owner' } }] })
  })
})

type Pod = {
  securityContext: unknown
  containers: { image: string; securityContext: unknown; env?: { name: string; value: string }[] }[]
}

function podOf({ kind, spec }: KubernetesObject): Pod {
  if (kind === 'Pod') return spec as Pod
  const template = spec['template']
  if (!isMap(template)) throw new Error('the object has no pod')
  return template['spec'] as Pod
}

function objectsOf(result: Rendered | undefined): KubernetesObject[] {
  if (!result || 'error' in result) throw new Error(result?.error ?? 'nothing was rendered')
  return result.objects
}

function slugOfVersion(): string {
  const { version }: { version: string } = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8'))
  return version.replaceAll('.', '-')
}

function tcp(...ports: number[]): unknown[] {
  return ports.map((port) => ({ protocol: 'TCP', port }))
}

function valuesAt(path: string, value: unknown): Values {
  const [name = '', ...rest] = path.split('.')
  return { [name]: rest.length > 0 ? valuesAt(rest.join('.'), value) : value }
}

/** The paths of all values. Free maps, such as labels and resources, count as one value. */
function leavesOf(values: Values, above = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const path = `${above}${name}`
    const isFree = name === 'resources' || name.endsWith('Selector')
    return isMap(value) && Object.keys(value).length > 0 && !isFree ? leavesOf(value, `${path}.`) : [path]
  })
}
