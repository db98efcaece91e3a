import { join } from 'node:path'
import type { programFiles as sourceFiles } from './program-files.ts'

// This module becomes part of a file in lib/, one folder below the root of the package.
const root = join(import.meta.dirname, '..')

/** Takes the place of program-files.ts in the package that `pnpm build` makes. */
export const programFiles = {
  migrations: new URL('../migrations/', import.meta.url),
  errorPages: () => join(root, 'reference/errors'),
  openApi: () => join(root, 'reference/openapi.json'),
  apiViewer: () => join(root, 'reference/viewer'),
} satisfies typeof sourceFiles
