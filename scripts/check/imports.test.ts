import { expect, test } from 'vitest'
import { checkImports } from '../check-imports.ts'
import { importsOf } from './imports.ts'

/** Guarantee: the rules on imports refuse what they forbid and allow the rest. */
function problems(path: string, text: string): string[] {
  return checkImports([{ path, text }]).map(({ problem }) => problem)
}

test.each([
  ['simulator/src/x.ts', `import { x } from '@carillon/connectors'`],
  ['simulator/src/x.ts', `import { platforms } from '@carillon/contract'`],
  ['simulator/src/x.ts', `export type A = number\nimport { platforms } from '@carillon/contract'`],
  ['e2e/posts.test.ts', `import { createPost } from '@carillon/server'`],
  ['bench/run.ts', `import { main } from '../server/src/main.ts'`],
  ['core/src/a.ts', `import { x } from '@carillon/connectors/kit'`],
  ['web/src/a.tsx', `import { mastodon } from '@carillon/connectors'`],
  ['connectors/src/x/x.ts', `import { a } from '../../../contract/src/index.ts'`],
  ['connectors/src/x/manifest.ts', `import { x } from './x.ts'`],
  ['connectors/src/x/guide.ts', `import { auth } from './auth.ts'`],
  ['connectors/src/x/x.ts', `const url = process.env.X_URL`],
  ['server/src/features/posts/create-post.ts', `import { sql } from 'kysely'`],
  ['server/src/features/posts/create-post.ts', `import pg from 'pg'`],
  ['server/src/features/posts/create-post.ts', `export const key = process.env['KEY']`],
  ['server/src/features/posts/publish.workflow.ts', `import { db } from '../../infra/db/db.ts'`],
  ['server/src/features/posts/publish.workflow.ts', `import {\n  route,\n  type Route,\n} from '../../infra/http/route.ts'`],
  ['server/src/features/posts/publish.workflow.ts', `import { setTimeout } from 'node:timers/promises'`],
])('%s refuses %s', (path, text) => {
  expect(problems(path, text)).toHaveLength(1)
})

test.each([
  ['simulator/src/x.ts', `import type { Platform } from '@carillon/contract'`],
  ['connectors/src/x/x.test.ts', `import { startSimulator } from '@carillon/simulator'`],
  ['web/src/a.tsx', `import { manifests } from '@carillon/connectors/manifests'`],
  ['connectors/src/x/guide.ts', `import { serviceText } from '../kit/guide.ts'`],
  ['web/src/a.tsx', `import { guides } from '@carillon/connectors/guides'`],
  ['connectors/src/manifests.gen.ts', `import { manifest } from './x/manifest.ts'`],
  ['scripts/generate/open-api.ts', `import { platforms } from '../../contract/src/platforms.ts'`],
  ['server/src/config.ts', `export const env = process.env`],
  ['server/src/infra/db/open.ts', `import { Kysely } from 'kysely'`],
  ['server/src/features/posts/post.store.ts', `import { sql } from 'kysely'`],
  ['server/src/features/posts/create-post.ts', `import { insertPost } from './post.store.ts'`],
  ['server/src/features/webhooks/send-webhook.ts', `import { findPost } from '../posts/post.store.ts'`],
  ['server/src/main.ts', `import { findPost } from './features/posts/post.store.ts'`],
])('%s allows %s', (path, text) => {
  expect(problems(path, text)).toEqual([])
})

test('every form of import is found', () => {
  const text = [
    `import './a.ts'`,
    `import type { B } from "./b.ts"`,
    `export * from './c.ts'`,
    `const d = await import('./d.ts')`,
  ].join('\n')
  expect(importsOf(text).map(({ specifier }) => specifier)).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts'])
})
