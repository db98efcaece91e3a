import { execFileSync } from 'node:child_process'

/** Names the commit that was measured, for results that are stored. */
export function describeCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname, stdio: 'pipe' }).trim()
  try {
    const isClean = git('status', '--porcelain', '--', ':(top)', ':(top,exclude)bench/results') === ''
    return `${git('rev-parse', 'HEAD')}${isClean ? '' : ' with changes'}`
  } catch {
    return 'not committed'
  }
}
