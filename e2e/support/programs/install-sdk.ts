import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runCommand } from '@carillon/stack/services'

export type InstalledSdk = { dir: string; files: string[]; remove(): Promise<void> }

/**
 * Installs the SDK as a user does: packed as for publishing, and installed from that file in a folder outside of this repository. Only its
 * dependencies are linked from here, so that no network is needed.
 */
export async function installSdk(): Promise<InstalledSdk> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-sdk-'))
  const sdk = join(root, 'sdk')
  const file = join(dir, 'sdk.tgz')
  await runCommand('pnpm', ['pack', '--out', file], { cwd: sdk })
  const files = await runCommand('tar', ['-tzf', file])
  const manifest: { dependencies: object } = JSON.parse(await runCommand('tar', ['-xzOf', file, 'package/package.json']))
  const overrides = Object.keys(manifest.dependencies).map((name) => `  '${name}': 'link:${join(sdk, 'node_modules', name)}'\n`)
  await writeFile(join(dir, 'pnpm-workspace.yaml'), `overrides:\n${overrides.join('')}`)
  await writeFile(
    join(dir, 'package.json'),
    JSON.stringify({ type: 'module', dependencies: { '@carillon/sdk': `file:${file}` } }),
  )
  await runCommand('pnpm', ['install', '--offline', '--ignore-scripts'], { cwd: dir })
  return {
    dir,
    files: files.trim().split('\n'),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

/** Runs a program in that folder with the Node.js of the machine, not with the newer one that this repository installs. */
export function runInstalledProgram({ dir }: InstalledSdk, program: string, env: Record<string, string>): Promise<string> {
  const path = (process.env['PATH'] ?? '').split(':').filter((each) => !each.includes('node_modules'))
  return runCommand('node', [program], { cwd: dir, env: { ...env, PATH: path.join(':') } })
}

/** Reads the one program in the README. */
export async function readReadmeProgram(): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const [program, ...others] = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code)
  if (program === undefined || others.length > 0) throw new Error('the README must contain exactly one code block marked js')
  return program
}
