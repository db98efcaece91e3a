import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'
import type { InstalledPackage } from './install-packages.ts'
import { installedPackages } from './install-packages.ts'

type ServerManifest = { version: string; optionalDependencies: Record<string, string> }

/** The package.json of the package. Versions are exact: what was tested is what is installed. */
export async function packageManifest(packages: readonly InstalledPackage[]): Promise<object> {
  const server = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8')) as ServerManifest
  const catalog = await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const versionOf = (name: string) => packages.find((each) => each.name === name)?.version
  return {
    name: 'carillon',
    version: server.version,
    description: 'One request publishes to many social accounts: on time, once, and with a reliable result for each account.',
    keywords: ['carillon', 'publishing', 'scheduling', 'self-hosted', 'social-media'],
    homepage: 'https://carillon.dev',
    // npm accepts a proof of origin only from the repository that is named here.
    repository: { type: 'git', url: 'git+https://github.com/carillon-dev/carillon.git' },
    license: 'Apache-2.0',
    type: 'module',
    bin: { carillon: 'carillon.js' },
    engines: { node: '>=24' },
    dependencies: Object.fromEntries(installedPackages.map((name) => [name, versionOf(name)])),
    // What `carillon try` starts. npm installs the variant for the machine and leaves the others out.
    optionalDependencies: Object.fromEntries(
      Object.keys(server.optionalDependencies).map((name) => [name, readCatalogVersion(catalog, name)]),
    ),
  }
}

function readCatalogVersion(catalog: string, name: string): string {
  const quoted = name.replaceAll(/[/.]/g, String.raw`\$&`)
  const version = new RegExp(`^ {2}'?${quoted}'?: (\\d+\\.\\d+\\.\\S+)$`, 'm').exec(catalog)?.[1]
  if (version === undefined) throw new Error(`pnpm-workspace.yaml has no exact version of ${name}`)
  return version
}
