import type { Values } from './render-chart.ts'

const worker = (tag: string, creationTimestamp: string) => ({
  metadata: { creationTimestamp },
  spec: {
    selector: {
      matchLabels: {
        'app.kubernetes.io/name': 'carillon',
        'app.kubernetes.io/instance': 'bells',
        'app.kubernetes.io/component': 'worker',
        'app.kubernetes.io/version': tag,
      },
    },
  },
})

/** What a cluster has after two upgrades, and a deployment of another program. */
export const runningBefore: Values = {
  global: {
    cluster: [
      { metadata: { creationTimestamp: '2026-03-01T00:00:00Z' }, spec: { selector: { matchLabels: { app: 'other' } } } },
      worker('0.0.9', '2026-02-01T00:00:00Z'),
      worker('0.0.8', '2026-01-01T00:00:00Z'),
    ],
  },
}

const monitoringReaches: Values = {
  networkPolicy: { healthFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }] },
}
const withMonitor: Values = { ...monitoringReaches, monitoring: { podMonitor: { enabled: true } } }

/** Another value for every value of the chart, and what else must be set so that it has an effect. */
export const switchedValues: Readonly<Record<string, { value: unknown; with?: Values }>> = {
  'image.repository': { value: 'example/carillon' },
  'image.tag': { value: 'v1.2.3' },
  'image.digest': { value: `sha256:${'0'.repeat(64)}` },
  'image.pullPolicy': { value: 'Always' },
  'image.pullSecrets': { value: ['pull'] },
  publicUrl: { value: 'https://other.example' },
  secretName: { value: 'other' },
  settings: { value: { CARILLON_S3_BUCKET: 'bells', CARILLON_LOG_LEVEL: 'warn', CARILLON_CELL: 3 } },
  'engine.ingressUrl': { value: 'http://other:8080' },
  'engine.adminUrl': { value: 'http://other:9070' },
  'engine.identityKeys': { value: 'publickeyv1_abc,publickeyv1_def' },
  'media.existingClaim': { value: 'media' },
  'media.sizeLimit': { value: '50Gi' },
  'migration.enabled': { value: false },
  'migration.secretName': { value: 'owner' },
  'api.replicas': { value: 5 },
  'api.resources': { value: { requests: { cpu: '2', memory: '2Gi' }, limits: { memory: '4Gi' } } },
  'api.autoscaling.enabled': { value: true },
  'api.autoscaling.minReplicas': { value: 3, with: { api: { autoscaling: { enabled: true } } } },
  'api.autoscaling.maxReplicas': { value: 30, with: { api: { autoscaling: { enabled: true } } } },
  'api.autoscaling.targetCpu': { value: 50, with: { api: { autoscaling: { enabled: true } } } },
  'worker.replicas': { value: 7 },
  'worker.resources': { value: { requests: { cpu: '2', memory: '2Gi' } } },
  'worker.autoscaling.kind': { value: 'hpa' },
  'worker.autoscaling.minReplicas': { value: 3, with: { worker: { autoscaling: { kind: 'hpa' } } } },
  'worker.autoscaling.maxReplicas': { value: 30, with: { worker: { autoscaling: { kind: 'hpa' } } } },
  'worker.autoscaling.targetLagSeconds': { value: 60, with: { worker: { autoscaling: { kind: 'hpa' } } } },
  'worker.autoscaling.metricName': { value: 'other_metric', with: { worker: { autoscaling: { kind: 'hpa' } } } },
  'worker.autoscaling.prometheusUrl': {
    value: 'http://other:9090',
    with: { worker: { autoscaling: { kind: 'keda', prometheusUrl: 'http://prometheus:9090' } } },
  },
  'worker.autoscaling.query': {
    value: 'max(other)',
    with: { worker: { autoscaling: { kind: 'keda', prometheusUrl: 'http://prometheus:9090' } } },
  },
  keepLastRelease: { value: false, with: runningBefore },
  'monitoring.podMonitor.enabled': { value: true, with: monitoringReaches },
  'monitoring.podMonitor.interval': { value: '30s', with: withMonitor },
  'monitoring.podMonitor.labels': { value: { release: 'prometheus' }, with: withMonitor },
  'monitoring.rules.enabled': { value: true },
  'monitoring.rules.labels': { value: { release: 'prometheus' }, with: { monitoring: { rules: { enabled: true } } } },
  'monitoring.dashboards.enabled': { value: true },
  'monitoring.dashboards.labels': { value: { team: 'bells' }, with: { monitoring: { dashboards: { enabled: true } } } },
  previousReleases: { value: ['v0.9.1', 'v0.9.0'] },
  'disruptionBudget.enabled': { value: false },
  'disruptionBudget.maxUnavailable': { value: '25%' },
  'service.type': { value: 'LoadBalancer' },
  'service.port': { value: 8080 },
  'ingress.enabled': { value: true },
  'ingress.className': { value: 'nginx', with: { ingress: { enabled: true } } },
  'ingress.annotations': { value: { 'example.com/size': '0' }, with: { ingress: { enabled: true } } },
  'ingress.host': { value: 'app.example', with: { ingress: { enabled: true } } },
  'ingress.tlsSecretName': { value: 'certificate', with: { ingress: { enabled: true } } },
  'networkPolicy.enabled': { value: false },
  'networkPolicy.apiFrom': { value: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
  'networkPolicy.healthFrom': { value: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }] },
  'networkPolicy.engine.podSelector': { value: { matchLabels: { app: 'engine' } } },
  'networkPolicy.engine.namespaceSelector': { value: { matchLabels: { name: 'engine' } } },
  'networkPolicy.engine.cidr': { value: '10.3.4.0/24' },
  'networkPolicy.engine.protect': { value: true },
  'networkPolicy.database.podSelector': { value: { matchLabels: { app: 'database' } } },
  'networkPolicy.database.namespaceSelector': { value: { matchLabels: { name: 'database' } } },
  'networkPolicy.database.cidr': { value: '10.1.2.0/24' },
  'networkPolicy.database.port': { value: 6432 },
  'networkPolicy.database.protect': { value: true },
  'networkPolicy.privateNetworks': { value: ['10.0.0.0/8'] },
  'networkPolicy.extraEgress': {
    value: [{ to: [{ ipBlock: { cidr: '10.9.9.9/32' } }], ports: [{ protocol: 'TCP', port: 25 }] }],
  },
  nodeSelector: { value: { disk: 'fast' } },
  tolerations: { value: [{ key: 'only', operator: 'Equal', value: 'carillon', effect: 'NoSchedule' }] },
  affinity: {
    value: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }],
        },
      },
    },
  },
  podAnnotations: { value: { 'prometheus.io/scrape': 'true' } },
}
