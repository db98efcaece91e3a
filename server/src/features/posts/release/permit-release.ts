import { writeWarning, type Detail } from '@carillon/contract'
import { dayIn, foldText, isSameText, isWithinHours, scopesAllow } from '@carillon/core'
import { lowestIdAt } from '../../../infra/db/ids.ts'
import { missingScope } from '../../../infra/http/authenticate.ts'
import { callerNeedsApproval } from '../../../infra/http/principal.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { listReleasedPosts, lockKey, noteRelease } from '../../api-keys/api-key.store.ts'
import { findWorkspace } from '../../workspaces/workspace.store.ts'
import type { CheckedChannel } from '../check-channels.ts'
import { writtenForChannel, type PostFields } from '../post-fields.ts'
import { listForbidden } from './allowed-posts.ts'
import { listRecentTexts } from './duplicate.store.ts'

/** Channels that become due: of a new post, of a draft, or of a post that is moved, changed or sent again. */
type Release = {
  postId: string
  dueAt: Date
  fields: PostFields
  slugs: readonly string[]
  /** The caller approves exactly this post, which is locked. */
  isApproved?: boolean
}

const dayMs = 86_400_000

/**
 * The only way to the schedule: whatever makes channels due asks here first, before it writes anything. Refuses what another person must
 * approve and what the caller's API key may not release, and counts what it may. A session, or a key without limits, costs no query. Returns
 * warnings about single connections.
 */
export async function permitRelease(scope: RequestScope, release: Release): Promise<Detail[]> {
  const { tx, principal, nowMs } = scope
  const { scopes, posting } = principal.limits
  // Approving is a right of its own, which `approvePost` has asked for.
  if (!release.isApproved) {
    if (!scopesAllow(scopes, 'content:publish')) throw missingScope('content:publish')
    if (callerNeedsApproval(principal)) throw problem('approval_required')
  }
  if (!posting || principal.apiKeyId === null) return []
  const key = { workspaceId: principal.workspaceId, id: principal.apiKeyId }
  // Of two requests with the same text, the second must see the post of the first.
  if (posting.onDuplicate === 'refuse') await lockKey(tx, key)
  const { refusals, warnings, timezone } = await findRefusals(scope, release)
  const [first] = refusals
  if (first) throw problem(first.code, { message: first.message, details: refusals.filter(({ code }) => code === first.code) })
  const { postsPerDay: max } = posting
  if (max === undefined) return warnings
  const isNoted = await noteRelease(tx, key, { postId: release.postId, day: dayIn(timezone, nowMs), max })
  if (!isNoted) throw problem('key_limit_reached', { message: usedUp(max) })
  return warnings
}

/** `permitRelease` for channels that were checked: their warnings are added. */
export async function permitChecked(
  scope: RequestScope,
  release: Omit<Release, 'slugs'>,
  checked: CheckedChannel[],
): Promise<CheckedChannel[]> {
  const found = await permitRelease(scope, { ...release, slugs: checked.map(({ slug }) => slug) })
  if (found.length === 0) return checked
  return checked.map((channel) => ({ ...channel, warnings: [...channel.warnings, ...found.filter(isAbout(channel.slug))] }))
}

/** What would be refused if a new post were released, for each connection; nothing is counted. */
export async function foreseeRelease(scope: RequestScope, release: Omit<Release, 'postId'>) {
  const { tx, principal, nowMs } = scope
  const { limits, apiKeyId, workspaceId } = principal
  const max = limits.posting?.postsPerDay
  const { refusals, warnings, timezone } = await findRefusals(scope, { ...release, postId: '' })
  const released =
    max === undefined || apiKeyId === null
      ? []
      : await listReleasedPosts(tx, { workspaceId, id: apiKeyId }, dayIn(timezone, nowMs))
  const isUsedUp = max !== undefined && released.length >= max
  const used = isUsedUp ? [{ path: 'connections', code: 'key_limit_reached', message: usedUp(max), params: { limit: max } }] : []
  return (slug: string): { violations: Detail[]; warnings: Detail[] } => ({
    violations: [...refusals, ...used].filter(isAbout(slug)),
    warnings: warnings.filter(isAbout(slug)),
  })
}

/** Findings that name no connection are about all of them. */
function isAbout(slug: string): (found: Detail) => boolean {
  return ({ params }) => params['connection'] === undefined || params['connection'] === slug
}

function usedUp(max: number): string {
  return `This API key may release ${max} ${max === 1 ? 'post' : 'posts'} a day, and today’s are used up.`
}

type Refusal = Detail & { code: 'connection_not_allowed' | 'hours_not_allowed' | 'duplicate_refused' }

type Findings = { refusals: Refusal[]; warnings: Detail[]; timezone: string }

async function findRefusals(scope: RequestScope, release: Release): Promise<Findings> {
  const { posting } = scope.principal.limits
  if (!posting) return { refusals: [], warnings: [], timezone: 'UTC' }
  const { timezone } = (await findWorkspace(scope.tx, scope.principal.workspaceId)) ?? { timezone: 'UTC' }
  const { dueAt, slugs } = release
  const forbidden = listForbidden(scope.principal, slugs)
  const { hours, onDuplicate } = posting
  const isLate = hours && !isWithinHours(hours, dueAt.getTime(), timezone)
  const late = isLate ? [outsideHours(hours, dueAt, timezone)] : []
  const repeated = onDuplicate ? await findRepeated(scope, release) : []
  return {
    refusals: [...forbidden, ...late, ...(onDuplicate === 'refuse' ? repeated.map(asRefusal) : [])],
    warnings: onDuplicate === 'warn' ? repeated.map(asWarning) : [],
    timezone,
  }
}

function outsideHours(hours: { from: string; to: string }, dueAt: Date, timezone: string): Refusal {
  const message =
    `This API key may publish from ${hours.from} until ${hours.to} (${timezone}), and this post would be due at ` +
    `${dueAt.toISOString()}.`
  return { path: 'scheduledAt', code: 'hours_not_allowed', message, params: { ...hours, timezone } }
}

type Repeated = { slug: string; index: number; postId: string }

/** The connections on which another post of about the same time has almost the same text, whatever became of that post. */
async function findRepeated(
  { tx, principal, nowMs }: RequestScope,
  { postId, dueAt, fields, slugs }: Release,
): Promise<Repeated[]> {
  const texts = new Map(slugs.map((slug) => [slug, foldText(writtenForChannel(fields, slug).text ?? '')]))
  const recent = await listRecentTexts(tx, {
    workspaceId: principal.workspaceId,
    slugs,
    exceptId: postId,
    fromId: lowestIdAt(nowMs - dayMs),
    dueFrom: new Date(dueAt.getTime() - dayMs),
    dueTo: new Date(dueAt.getTime() + dayMs),
  })
  return slugs.flatMap((slug, index) => {
    const own = texts.get(slug)
    if (!own) return []
    const found = recent.find((other) => {
      const folded = other.slug === slug ? foldText(other.ownText ?? other.text ?? '') : null
      return folded !== null && isSameText(own, folded)
    })
    return found ? [{ slug, index, postId: found.postId }] : []
  })
}

function asRefusal({ slug, index, postId }: Repeated): Refusal {
  const message = `The post ${postId} has almost the same text on ${slug} within 24 hours, and this API key may not repeat a text.`
  return { path: `connections[${index}].text`, code: 'duplicate_refused', message, params: { connection: slug, postId } }
}

function asWarning({ slug, index, postId }: Repeated): Detail {
  const message = writeWarning('text_repeated', { connection: slug })
  return { path: `connections[${index}].text`, code: 'text_repeated', message, params: { connection: slug, postId } }
}
