import { defineConfig } from 'vitest/config'

/** Every screen is a test that ends with a picture, so that one that cannot be opened is a failure. */
export default defineConfig({
  test: { root: import.meta.dirname, include: ['shots.ts'], fileParallelism: false, testTimeout: 120_000, hookTimeout: 60_000 },
})
