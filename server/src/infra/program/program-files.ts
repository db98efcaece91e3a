import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/**
 * Files that are part of the program and are read while it runs. They have other places in the package that `pnpm build` makes, so the build
 * puts bundled-program-files.ts in the place of this module.
 */
export const programFiles = {
  /** A folder, with a slash at the end. */
  migrations: new URL('../../../migrations/', import.meta.url),
  /** The folder with a page for every error, as Markdown. */
  errorPages: (): string => join(import.meta.dirname, '../../../../docs/errors'),
  openApi: (): string => resolve('@carillon/contract/openapi.json'),
  /** The folder with the browser files of the API reference. */
  apiViewer: (): string => join(dirname(resolve('@scalar/api-reference')), 'browser'),
}
