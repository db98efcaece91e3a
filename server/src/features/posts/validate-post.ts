import type { BodyOf, Detail, Verdict, content } from '@carillon/contract'
import { findConnections, type LinkedAccount } from '../connections/find-connections.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { channelIssues } from './build-channel-rows.ts'
import { checkChannels, splitLongTexts } from './check-channels.ts'
import { resolveFiles } from './files/post-files.ts'
import { linksOfChannel, withLinkTags } from './link-tags.ts'
import { listMissingParts } from './list-missing-parts.ts'
import { fieldsForChannel, fieldsFromBody } from './post-fields.ts'
import { foreseeRelease } from './release/permit-release.ts'
import { reconnectDetail, unknownConnection } from './resolve-targets.ts'
import { resolveTime } from './schedule/resolve-time.ts'

/** Checks a post for each connection and stores nothing. An unfinished post is no error of the request: the verdict names what is missing. */
export async function validatePost(scope: RequestScope, body: BodyOf<typeof content.validate>): Promise<Verdict> {
  const time = resolveTime(body, scope.nowMs)
  const { at: dueAt } = time
  const known = await findConnections(scope, body.connections)
  const targets = [...known.values()]
  const whole = await withLinkTags(scope, fieldsFromBody(body.type, body), { targets, time })
  const fields = splitLongTexts(whole, targets, body.splitLongText)
  const files = await resolveFiles(scope, body.type, body)
  const check = (account: LinkedAccount, index: number) => {
    const [checked] = checkChannels(scope.ctx, fields, [account], { files, dueAt })
    const atIndex = (found: Detail): Detail => ({ ...found, path: found.path.replace('connections[0]', `connections[${index}]`) })
    return { violations: (checked?.violations ?? []).map(atIndex), warnings: (checked?.warnings ?? []).map(atIndex) }
  }
  const foreseen = await foreseeRelease(scope, { dueAt: dueAt ?? new Date(scope.nowMs), fields, slugs: body.connections })
  const verdicts = body.connections.map((slug, index) => {
    const account = known.get(slug)
    if (!account) return { slug, platform: null, violations: [unknownConnection(slug, index)], warnings: [] }
    const { violations, warnings } = check(account, index)
    const byKey = foreseen(slug)
    const isTextMissing = body.type === 'text' && !fieldsForChannel(fields, slug).text
    const more: Detail[] = [
      ...(isTextMissing ? [{ path: 'text', code: 'text_missing', message: 'A text is required.', params: {} }] : []),
      ...(account.needsReconnect ? [reconnectDetail(account, index)] : []),
      ...byKey.violations,
    ]
    return { slug, platform: account.platform, violations: [...violations, ...more], warnings: [...warnings, ...byKey.warnings] }
  })
  // With connections, each verdict has what its connection lacks.
  const missing = body.connections.length > 0 ? [] : listMissingParts(fields, [], files.common.length > 0)
  const connections = verdicts.map(({ slug, platform, violations, warnings }) => ({
    connection: slug,
    platform,
    valid: violations.length === 0,
    violations,
    warnings: warnings.map(({ message }) => message),
    ...linksOfChannel(fields, slug),
  }))
  return {
    valid: missing.length === 0 && connections.every(({ valid }) => valid),
    issues: [...missing.map((found) => ({ ...found, blocking: true })), ...verdicts.flatMap(channelIssues)],
    connections,
  }
}
