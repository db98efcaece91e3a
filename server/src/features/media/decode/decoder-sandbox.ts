import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Context } from '../../../context.ts'
import { openSandbox } from '../../../infra/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../../infra/sandbox/sandbox.ts'

export type DecoderSandbox = { sandbox: Sandbox; programs: readonly string[] }

/** The sandbox in which this process opens untrusted files. It is chosen once, at the first use or at start. */
export function decoderSandbox(ctx: Context): Promise<DecoderSandbox> {
  return ctx.resources.get(createDecoderSandbox, ctx)
}

function createDecoderSandbox({ storage }: Context): { value: Promise<DecoderSandbox> } {
  const programs = findPrograms()
  const value = openSandbox({ dir: storage.spoolDir, programs }).then((sandbox) => ({ sandbox, programs }))
  return { value }
}

/**
 * What the decode process needs besides the system: Node, this folder, and the packages that it imports. The folders above are not visible:
 * they may contain settings or media.
 */
function findPrograms(): string[] {
  const here = import.meta.dirname
  const paths = [realpathSync(process.execPath), here]
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    // Node reads package.json to find out whether a file is a module.
    paths.push(...['node_modules', 'package.json'].map((name) => join(folder, name)).filter((path) => existsSync(path)))
  }
  return paths
}
