import type { BodyOf, Verdict, content } from '@carillon/contract'
import { findConnections } from '../connections/find-connections.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { checkChannels } from './check-channels.ts'
import { fieldsForChannel, fieldsFromBody } from './post-fields.ts'
import { resolveFiles } from './files/post-files.ts'
import { resolveTime } from './schedule/resolve-time.ts'

/** Checks a post for each connection and stores nothing. */
export async function validatePost(scope: RequestScope, body: BodyOf<typeof content.validate>): Promise<Verdict> {
  resolveTime(body, scope.nowMs)
  const fields = fieldsFromBody(body.type, body)
  const known = await findConnections(scope, body.connections)
  const files = await resolveFiles(scope, body.type, body)
  const connections = body.connections.map((slug, index) => {
    const account = known.get(slug)
    if (!account) {
      const violations = [{ path: `connections[${index}]`, message: `The workspace has no connection "${slug}".` }]
      return { connection: slug, platform: null, valid: false, violations, warnings: [] }
    }
    const [checked] = checkChannels(scope.ctx, fields, [account], files)
    const violations = (checked?.violations ?? []).map((violation) => ({
      ...violation,
      path: violation.path.replace('connections[0]', `connections[${index}]`),
    }))
    if (body.type === 'text' && !fieldsForChannel(fields, slug).text)
      violations.push({ path: 'text', message: 'A text is required.' })
    if (account.needsReconnect) violations.push({ path: `connections[${index}]`, message: `${slug} must be connected again.` })
    return {
      connection: slug,
      platform: account.platform,
      valid: violations.length === 0,
      violations,
      warnings: checked?.warnings ?? [],
    }
  })
  return { valid: connections.every(({ valid }) => valid), connections }
}
