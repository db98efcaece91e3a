import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'
import type { FileGenerator } from './file-generator.ts'

const copies: Readonly<Record<string, string>> = {
  'deploy/monitoring/alerts.yaml': 'alerts.yaml',
  'deploy/monitoring/dashboards/publishing.json': 'publishing.json',
  'deploy/monitoring/dashboards/service-health.json': 'service-health.json',
}

/** A chart can read only files of its own folder. */
export const chartFiles: FileGenerator = {
  name: 'alert rules and dashboards of the chart',
  ownsFolder: 'deploy/helm/carillon/files',
  make: () =>
    Promise.all(
      Object.entries(copies).map(async ([from, to]) => ({
        path: `deploy/helm/carillon/files/${to}`,
        text: await readFile(join(root, from), 'utf8'),
      })),
    ),
}
