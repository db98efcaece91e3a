import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '@carillon/stack/services'
import { testStack } from '../../test-stack.ts'

/** Runs a Python program with the client of this repository, and with no package of the machine. */
export async function runPython(
  file: string,
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)('python3', ['-S', '-W', 'error', file], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PYTHONPATH: join(root, 'python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
      CARILLON_URL: testStack.baseUrl,
      CARILLON_KEY: testStack.apiKey,
      CARILLON_WORKSPACE: testStack.workspaceId,
      ...env,
    },
    ...(cwd !== undefined && { cwd }),
    timeout: 90_000,
  })
  return stdout
}
