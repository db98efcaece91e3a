import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findProgram } from '../../infra/sandbox/system-paths.ts'
import type { Machine } from './check.ts'

export const thisMachine: Machine = { nowMs: Date.now, freeBytes, findProgram }

/** Of the folder, or of the nearest folder above that exists. */
async function freeBytes(dir: string): Promise<number> {
  for (let folder = dir; ; folder = dirname(folder)) {
    try {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!['ENOENT', 'ENOTDIR'].includes(code) || folder === dirname(folder)) throw error
    }
  }
}
