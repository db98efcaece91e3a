import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '@carillon/stack/services'

const guide = 'docs/guides/containers.md'

/** The commands of the guide, one on each line, by the heading of their task. What stands before the first heading is the task ''. */
export function readTasks(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(root, guide), 'utf8')
  const parts = text.split(/^## /m).map((part, at) => (at === 0 ? `\n${part}` : part))
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n')
      const blocks = [...part.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
      return [part.slice(0, end).trim(), blocks.flatMap((block) => block.trim().split('\n'))]
    }),
  )
}
