import { readFileSync } from 'node:fs'
import { findAsset } from './find-asset.ts'

/** The version in the package.json of the server, or of the package that the bundle is in. */
export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(findAsset('package.json'), 'utf8')) as { version: string }
  return version
}
