import { defineConfig } from 'vitest/config'

/** Tests beside the code. The whole from outside is `pnpm e2e`, which brings its own stack. */
export default defineConfig({
  test: {
    include: [
      '{contract,core,connectors,server,sdk,web,docs-site,simulator,stack,scripts,bench,mutants,deploy}/**/*.test.ts',
      'e2e/{chaos,coverage,fuzz}/**/*.test.ts',
    ],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
