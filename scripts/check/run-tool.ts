import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'

/** Runs a program from node_modules, of the repository or of one of its packages, and shows its output. Returns whether it succeeded. */
export function runTool(name: string, args: readonly string[], env: Record<string, string> = {}, folder = ''): Promise<boolean> {
  const cwd = join(root, folder)
  const command = name === 'node' ? process.execPath : join(cwd, 'node_modules/.bin', name)
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', fail)
    child.on('close', (code) => done(code === 0))
  })
}
