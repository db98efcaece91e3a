import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { VersionSource } from './build-site.ts'

/** The name of the version in the working tree: its tag, or `unreleased`. */
export function nameVersion(root: string): string {
  return tagsOf(root, ['--points-at', 'HEAD'])[0] ?? 'unreleased'
}

/** Takes the documents of every release out of the repository's history, newest first. */
export function listReleases(root: string, workFolder: string): VersionSource[] {
  const current = nameVersion(root)
  return tagsOf(root, [])
    .filter((tag) => tag !== current && hasDocuments(root, tag))
    .map((tag) => {
      const folder = join(workFolder, tag)
      mkdirSync(folder, { recursive: true })
      const archive = execFileSync('git', ['archive', tag, 'docs'], { cwd: root, maxBuffer: 512 * 1024 * 1024 })
      execFileSync('tar', ['-x', '-C', folder], { input: archive })
      return { name: tag, folder: tag, root: folder }
    })
}

function tagsOf(root: string, filter: readonly string[]): string[] {
  try {
    const args = ['tag', '--list', 'v[0-9]*', '--sort=-version:refname', ...filter]
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter(Boolean)
  } catch {
    // The sources may have arrived without their history.
    return []
  }
}

function hasDocuments(root: string, tag: string): boolean {
  return execFileSync('git', ['ls-tree', '--name-only', tag, 'docs'], { cwd: root, encoding: 'utf8' }).trim() !== ''
}
