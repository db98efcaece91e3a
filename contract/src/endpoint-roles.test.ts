import { expect, test } from 'vitest'
import type { Role } from './access.ts'
import { endpoints } from './endpoints.ts'

/** Guarantee: the lowest role of each endpoint is the one that was decided. It is written down here again, because the table is what is tested. */
const special: Record<string, Role> = {
  'DELETE /workspaces/:id': 'owner',
  'GET /workspaces/:id/export': 'owner',
  'DELETE /workspaces/:id/members/me': 'viewer',
  'POST /content/validate': 'viewer',
  'POST /content/:id/approve': 'admin',
  'POST /content/:id/request-changes': 'admin',
  // Whoever may read a post may say something about it.
  'POST /content/:id/comments': 'viewer',
  'PATCH /content/:id/comments/:commentId': 'viewer',
  'DELETE /content/:id/comments/:commentId': 'viewer',
  // Each member makes and revokes the address of their own feed.
  'POST /calendar-feed': 'viewer',
  'DELETE /calendar-feed': 'viewer',
  // Who makes a link lets an account into the workspace.
  'GET /connect-links': 'admin',
  'POST /connect-links': 'admin',
  'DELETE /connect-links/:id': 'admin',
  // They decide with which app accounts are let in.
  'GET /developer-apps': 'admin',
  'POST /developer-apps': 'admin',
  'DELETE /developer-apps/:platform': 'admin',
  // Who writes posts may show a client what became of them. The list has the links.
  'GET /workspaces/:id/reports': 'editor',
  'POST /workspaces/:id/reports': 'editor',
  'DELETE /workspaces/:id/reports/:reportId': 'editor',
  // Each member reads their own notices.
  'POST /notices/read': 'viewer',
  'POST /series/preview': 'viewer',
  'POST /series/:id/approve': 'admin',
  // Each member ends what programs may do for them.
  'DELETE /workspaces/:id/grants/:grantId': 'viewer',
  // It moves posts and does not change the queue.
  'POST /queues/:id/reflow': 'editor',
}

function lowestRole(method: string, path: string): Role {
  const decided = special[`${method} ${path}`]
  if (decided) return decided
  if (/\/(api-keys|invitations|audit)/.test(path)) return 'admin'
  // The answers contain addresses to which parts can be sent.
  if (path.startsWith('/media/uploads')) return 'editor'
  if (method === 'GET') return 'viewer'
  return /^\/(workspaces|webhooks|queues)/.test(path) ? 'admin' : 'editor'
}

test('every endpoint of a workspace needs the role that was decided, and no lower one', () => {
  const asked = endpoints.filter(({ workspace }) => workspace !== 'none')
  expect(asked.length).toBeGreaterThan(50)
  expect(asked.map(({ id, role }) => [id, role])).toEqual(asked.map(({ id, method, path }) => [id, lowestRole(method, path)]))
})
