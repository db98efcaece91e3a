import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '@carillon/stack/services'

const guides = ['docs/guides/containers.md', 'docs/guides/backups.md']

/** The commands of the guides, one on each line, by the heading of their task. What stands before the first heading is the task ''. */
export function readTasks(): ReadonlyMap<string, readonly string[]> {
  const tasks = new Map<string, readonly string[]>()
  for (const guide of guides) {
    const parts = readFileSync(join(root, guide), 'utf8').split(/^###? /m)
    for (const [at, part] of parts.entries()) {
      const title = at === 0 ? '' : part.slice(0, part.indexOf('\n')).trim()
      const blocks = [...part.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block = '']) => block)
      const lines = blocks.flatMap((block) =>
        block
          .trim()
          .split('\n')
          .map((line) => line.trim()),
      )
      if (lines.length === 0) continue
      if (tasks.has(title)) throw new Error(`two tasks of the guides have the title "${title}"`)
      tasks.set(title, lines)
    }
  }
  return tasks
}
