import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../stack/services/folders.ts'
import { copies } from './build-package.ts'

/** Guarantee: what the package is made of reaches the builder of the image. Otherwise only a build with Docker would tell. */
test('.dockerignore allows every file that is copied into the package', () => {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  expect(allowed.length).toBeGreaterThan(10)
  // Packages are installed inside.
  const sources = Object.keys(copies).filter((path) => !path.includes('node_modules'))
  const missing = sources.filter((path) => !allowed.some((each) => path === each || path.startsWith(`${each}/`)))
  expect(missing).toEqual([])
})
