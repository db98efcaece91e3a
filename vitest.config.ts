import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests that replace modules, which must not reach other tests. Those of the web app share what a page shares. */
const withOwnModules = [
  'server/src/commands/http-hooks.test.ts',
  'server/src/features/connections/connect/integration.routes.test.ts',
  'server/src/infra/http/router.test.ts',
  'server/src/infra/http/send-page.test.ts',
  // It measures times, which the garbage of other tests would change.
  'scripts/check/text-scanners.test.ts',
  'web/src/**/*.test.ts',
]

/** Tests beside the code. The whole from outside is `pnpm e2e`, which brings its own stack. */
export default defineConfig({
  test: {
    // Most tests wait for a database or a process. By default, a machine with two cores would run one file at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ['server/test/database-template.ts'],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared modules',
          include: [
            '{contract,core,connectors,server,sdk,mcp,cli,docs-site,simulator,stack,scripts,bench,mutants,deploy}/**/*.test.ts',
            'e2e/{chaos,coverage,fuzz,support}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ...withOwnModules],
          // Half of the time would be loading the program again for each file. What it keeps, it keeps in its context, not in modules.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'own modules', include: withOwnModules } },
    ],
  },
})
