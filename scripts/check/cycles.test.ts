import { expect, test } from 'vitest'
import { checkCycles } from './cycles.ts'

/** Guarantee: no file and no folder of the server imports itself by a detour. */
function problems(files: Record<string, string>): string[] {
  return checkCycles(Object.entries(files).map(([path, text]) => ({ path, text }))).map(({ problem }) => problem)
}

const layout = {
  'server/src/main.ts': `import { serve } from './commands/serve.ts'`,
  'server/src/commands/serve.ts': `import { a } from '../features/posts/a.ts'\nimport { b } from '../features/media/b.ts'`,
  'server/src/features/posts/a.ts': `import { b } from '../media/b.ts'\nimport type { Context } from '../../context.ts'`,
  'server/src/features/media/b.ts': `import { db } from '../../infra/db/db.ts'`,
  'server/src/infra/db/db.ts': '',
  'server/src/context.ts': `import type { Db } from './infra/db/db.ts'`,
}

test('a cycle of files is shown as a path, type-only imports included', () => {
  const files = {
    'core/src/a.ts': `import { b } from './b.ts'`,
    'core/src/b.ts': `import { c } from './c.ts'`,
    'core/src/c.ts': `import type { A } from './a.ts'`,
  }
  expect(problems(files)).toEqual(['cycle of files: core/src/a.ts → core/src/b.ts → core/src/c.ts → core/src/a.ts'])
})

test('a cycle through the name of a package is found', () => {
  const files = {
    'core/package.json': '{ "name": "@carillon/core", "exports": { ".": "./src/index.ts", "./kit": "./src/kit.ts" } }',
    'core/src/kit.ts': `import { a } from './a.ts'`,
    'core/src/a.ts': `import { kit } from '@carillon/core/kit'`,
  }
  expect(problems(files)).toEqual(['cycle of files: core/src/a.ts → core/src/kit.ts → core/src/a.ts'])
})

test('each separate cycle is reported once', () => {
  const files = {
    'core/src/a.ts': `import { b } from './b.ts'`,
    'core/src/b.ts': `import { a } from './a.ts'`,
    'core/src/d.ts': `import { a } from './a.ts'\nimport { e } from './e.ts'`,
    'core/src/e.ts': `import { d } from './d.ts'`,
  }
  expect(problems(files)).toHaveLength(2)
})

test('a cycle of folders of the server is found where no files form one', () => {
  const files = {
    ...layout,
    'server/src/features/media/c.ts': `import { x } from '../posts/x/x.ts'`,
    'server/src/features/posts/x/x.ts': '',
  }
  expect(problems(files)).toEqual(['cycle of folders: features/media → features/posts → features/media'])
})

test('a file in server/src is a folder of its own', () => {
  const files = { ...layout, 'server/src/infra/db/open.ts': `import type { Context } from '../../context.ts'` }
  expect(problems(files)).toEqual(['cycle of folders: context.ts → infra/db → context.ts'])
})

test('imports in one direction are allowed, and tests may import any folder', () => {
  expect(problems(layout)).toEqual([])
  expect(problems({ ...layout, 'server/src/infra/db/db.test.ts': `import { a } from '../../features/posts/a.ts'` })).toEqual([])
})
