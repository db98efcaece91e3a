import { cp, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root, runCommand } from '@carillon/stack/services'

/** Copies the files that a clone of this state of the repository would have, with changes that are not committed yet. */
export async function copyRepository(dir: string): Promise<void> {
  const listed = await runCommand('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const path of listed.split('\0').filter((each) => each !== '')) {
    if (!(await stat(join(root, path)).catch(() => null))) continue
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await cp(join(root, path), join(dir, path))
  }
}
