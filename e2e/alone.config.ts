import { defineConfig } from 'vitest/config'

/** Suites that need no stack or start their own, so they are no part of the acceptance tests. Most take minutes. */
export default defineConfig({
  test: { include: ['**/*.test.ts'], fileParallelism: false, testTimeout: 900_000, hookTimeout: 600_000 },
})
