import { expect, test } from 'vitest'
import { checkImports } from '../check-imports.ts'

/** Guarantee: the layers of the server and the order of its features hold. */
function problems(path: string, text: string): string[] {
  return checkImports([{ path, text }]).map(({ problem }) => problem)
}

test.each([
  ['server/src/infra/http/app.ts', `import { createPost } from '../../features/posts/create-post.ts'`],
  ['server/src/infra/http/app.ts', `import type { Serve } from '../../commands/serve.ts'`],
  ['server/src/features/posts/create-post.ts', `import { serve } from '../../commands/serve.ts'`],
  ['server/src/features/posts/create-post.ts', `import { main } from '../../main.ts'`],
  ['server/src/commands/serve.ts', `import { main } from '../main.ts'`],
  ['server/src/features/posts/create-post.ts', `import { arm } from '../publishing/arm/arm.ts'`],
  ['server/src/features/events/read/read-events.ts', `import { a } from '../../posts/a.ts'`],
  ['server/src/features/calendar/show.ts', ''],
  ['server/src/commands/serve.ts', `import { createRouter } from '../cells/router/router.ts'`],
  ['server/src/create-context.ts', `import { createRouter } from './cells/router/router.ts'`],
  ['server/src/features/posts/create-post.ts', `import { moveWorkspace } from '../../cells/move/move-workspace.ts'`],
  ['server/src/infra/http/app.ts', `import type { CellChoice } from '../../cells/router/cell-choice.ts'`],
  ['server/src/cells/router/router.ts', `import { serve } from '../../commands/serve.ts'`],
])('%s refuses %s', (path, text) => {
  expect(problems(path, text)).toHaveLength(1)
})

test.each([
  ['server/src/commands/serve.ts', `import { createPost } from '../features/posts/create-post.ts'`],
  ['server/src/features/publishing/arm/arm.ts', `import { findPost } from '../../posts/post.store.ts'`],
  ['server/src/features/posts/create-post.ts', `import { openDb } from '../../infra/db/db.ts'`],
  ['server/src/features/posts/a/b.ts', `import { createPost } from '../create-post.ts'`],
  ['server/src/infra/http/app.ts', `import { readConfig } from '../../config.ts'`],
  ['server/src/infra/http/app.test.ts', `import { createPost } from '../../features/posts/create-post.ts'`],
  ['server/src/features/events/events.fixture.ts', `import { a } from '../posts/a.ts'`],
  [
    'server/src/commands/commands.ts',
    `const load = async () => (await import('../cells/router/router-command.ts')).routerCommand`,
  ],
  ['server/src/cells/router/choose-cell.ts', `import { cellOfKey } from '../../features/api-keys/api-key.ts'`],
  ['server/src/cells/move/copy-files.ts', `import { openDb } from '../../infra/db/db.ts'`],
  ['server/test/open-server.ts', `import { main } from '../src/main.ts'`],
])('%s allows %s', (path, text) => {
  expect(problems(path, text)).toEqual([])
})
