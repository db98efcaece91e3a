import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheDir } from './folders.ts'

/**
 * Builds a server in the cache of this machine, unless it is there already, and returns its folder. It is built in a temporary folder that is renamed at
 * the end, so that an interrupted build is never mistaken for a finished one.
 */
export async function installOnce(name: string, build: (partial: string) => Promise<void>): Promise<string> {
  const installDir = join(cacheDir(), name)
  if (existsSync(installDir)) return installDir
  const partial = `${installDir}.${process.pid}`
  await mkdir(partial, { recursive: true })
  try {
    await build(partial)
    await rename(partial, installDir).catch((error: unknown) => {
      // Another process was faster, and what it built is the same.
      if (!existsSync(installDir)) throw error
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  return installDir
}
