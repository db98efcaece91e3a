import { execFile } from 'node:child_process'
import { cp, lstat, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Copies the files that git knows of or could add, with today's changes, to a temporary folder. Installed packages are not copied:
 * `node_modules` consists of relative links, and the store that they point to gets hard links. So a package of ours resolves to its copy,
 * and the sandbox of decoders, which sees the copy only, finds the packages.
 */
export async function copyTree(root: string): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-mutants-'))
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 64_000_000,
  })
  const files = stdout.split('\0').filter((file) => file !== '')
  for (const folder of new Set(files.map((file) => dirname(file)))) await mkdir(join(dir, folder), { recursive: true })
  // A file that was deleted and not committed is still listed.
  for (const file of files) if (await exists(join(root, file))) await cp(join(root, file), join(dir, file))
  const packages = files.filter((file) => file.endsWith('package.json')).map((file) => dirname(file))
  for (const folder of packages) await linkModules(join(root, folder, 'node_modules'), join(dir, folder, 'node_modules'))
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) }
}

async function linkModules(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from)) {
    const source = join(from, entry)
    if (entry === '.pnpm') await linkStore(source, join(to, entry))
    // Other names with a dot are caches.
    else if (entry === '.bin' || !entry.startsWith('.'))
      await cp(source, join(to, entry), { recursive: true, verbatimSymlinks: true })
  }
}

/** There are no hard links to another disk; then tests that open files in the sandbox cannot be run. */
async function linkStore(from: string, to: string): Promise<void> {
  await run('cp', ['-al', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true })
    await symlink(from, to)
  })
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
