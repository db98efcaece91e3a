import type { InstalledPackage } from './install-packages.ts'
import { installedPackages } from './install-packages.ts'

/** The package.json of the package. Versions are exact: what was tested is what is installed. */
export function packageManifest(version: string, packages: readonly InstalledPackage[]): object {
  const versionOf = (name: string) => packages.find((each) => each.name === name)?.version
  return {
    name: 'carillon',
    version,
    description: 'One request publishes to many social accounts: on time, once, and with a reliable result for each account.',
    keywords: ['carillon', 'publishing', 'scheduling', 'self-hosted', 'social-media'],
    license: 'Apache-2.0',
    type: 'module',
    bin: { carillon: 'carillon.js' },
    engines: { node: '>=24' },
    dependencies: Object.fromEntries(installedPackages.map((name) => [name, versionOf(name)])),
  }
}
