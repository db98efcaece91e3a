import { join } from 'node:path'
import type { programFiles as sourceFiles } from '../../server/src/infra/program/program-files.ts'

// This module becomes part of a file in lib/, one folder below the root of the package.
const root = join(import.meta.dirname, '..')

/** Takes the place of server/src/infra/program/program-files.ts in the bundle. */
export const programFiles = {
  migrations: new URL('../migrations/', import.meta.url),
  openApi: () => join(root, 'reference/openapi.json'),
  apiViewer: () => join(root, 'reference/viewer'),
} satisfies typeof sourceFiles
