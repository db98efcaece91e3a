import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runCommand } from '@carillon/stack/services'
import type { KubernetesObject } from './render-chart.ts'

/** Where the type of each kind of object comes from. The types are generated from Kubernetes' own schemas. */
const sources: Readonly<Record<string, string>> = {
  ConfigMap: 'kubernetes-models/v1',
  Deployment: 'kubernetes-models/apps/v1',
  HorizontalPodAutoscaler: 'kubernetes-models/autoscaling/v2',
  Ingress: 'kubernetes-models/networking.k8s.io/v1',
  Job: 'kubernetes-models/batch/v1',
  NetworkPolicy: 'kubernetes-models/networking.k8s.io/v1',
  Pod: 'kubernetes-models/v1',
  PodDisruptionBudget: 'kubernetes-models/policy/v1',
  PodMonitor: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  PrometheusRule: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  ScaledObject: '@kubernetes-models/keda/keda.sh/v1alpha1',
  Service: 'kubernetes-models/v1',
}

/**
 * Writes every object as a literal of its type and lets the compiler judge them: it finds wrong types, missing fields and misspelt ones. The
 * validation at run time that the package also has does not find misspelt fields. Returns what the compiler says; empty if all is well.
 */
export async function checkTypes(objects: readonly KubernetesObject[]): Promise<string> {
  // Below node_modules, so that the packages are found and no other check reads the files.
  const folder = join(root, 'e2e/node_modules/.chart')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const unknown = objects.filter(({ kind }) => !sources[kind])
  if (unknown.length > 0) throw new Error(`no type is known for ${[...new Set(unknown.map(({ kind }) => kind))].join(', ')}`)
  const kinds = [...new Set(objects.map(({ kind }) => kind))]
  const literals = new Set(objects.map((object) => `;(${JSON.stringify(object, null, 1)}) satisfies I${object.kind}`))
  const imports = kinds.map((kind) => `import type { I${kind} } from '${sources[kind]}'`)
  writeFileSync(join(folder, 'objects.ts'), [...imports, ...literals].join('\n'))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['objects.ts'] }))
  return runCommand(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error: unknown) => String(error))
}
