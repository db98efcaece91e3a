import { defineConfig } from 'vitest/config'

/** The chart is rendered once, and all files use the result. */
export default defineConfig({
  test: { root: import.meta.dirname, include: ['**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
})
