import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildWeb } from '../../stack/services/build-web.ts'
import { root } from '../../stack/services/folders.ts'
import { bundleServer } from './bundle-server.ts'
import { installPackages } from './install-packages.ts'
import { packageManifest } from './package-manifest.ts'
import { writeNotices } from './write-notices.ts'

const viewer = 'server/node_modules/@scalar/api-reference/dist/browser'

/** Copied as they are, from the repository to the package. The builder of the image sees only what .dockerignore allows. */
export const copies: Readonly<Record<string, string>> = {
  'scripts/package/carillon.js': 'carillon.js',
  'scripts/package/README.md': 'README.md',
  LICENSE: 'LICENSE',
  'server/migrations': 'migrations',
  'contract/openapi.json': 'reference/openapi.json',
  'docs/errors': 'reference/errors',
  // For an installation without containers and without a clone.
  'deploy/systemd/carillon.service': 'systemd/carillon.service',
  'deploy/systemd/restate.service': 'systemd/restate.service',
  'deploy/systemd/carillon-nightly.service': 'systemd/carillon-nightly.service',
  'deploy/systemd/carillon-nightly.timer': 'systemd/carillon-nightly.timer',
  'deploy/restate.toml': 'systemd/restate.toml',
  [`${viewer}/standalone.esm.js`]: 'reference/viewer/standalone.esm.js',
  [`${viewer}/chunks`]: 'reference/viewer/chunks',
}

/**
 * Makes the package `carillon` in a folder: the server as bundled JavaScript, the web app, the migrations and the API reference. It also has
 * a node_modules folder, so that it starts where it is; npm leaves that out of what it publishes.
 */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await buildWeb()
  await bundleServer(join(folder, 'lib'))
  for (const [from, to] of Object.entries(copies))
    await cp(join(root, from), join(folder, to), { recursive: true, filter: (path) => !path.endsWith('.map') })
  await chmod(join(folder, 'carillon.js'), 0o755)
  // Vite's own list of files is not served.
  await cp(join(root, 'web/dist'), join(folder, 'web'), { recursive: true, filter: (path) => !path.endsWith('/.vite') })
  const packages = await installPackages(join(root, 'server'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await packageManifest(packages), null, 2)}\n`)
  await writeNotices(join(folder, 'THIRD-PARTY-NOTICES.txt'))
}
