import { dayIn, listTaggedLinks, resolveLinkTags } from '@carillon/core'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import type { LinkedAccount } from '../connections/find-connections.ts'
import { findWorkspace } from '../workspaces/workspace.store.ts'
import { tagsForChannel, writtenForChannel, type PostFields } from './post-fields.ts'
import type { Timing } from './schedule/resolve-time.ts'

type Tagging = { targets: readonly LinkedAccount[]; time: Pick<Timing, 'at' | 'timezone'> }

/**
 * Decides what the links of a post get on each account, by the rule that the workspace has now. It is stored with the post, so that what was
 * checked and approved is what is sent, whatever becomes of the rule. A post without a link costs no query.
 */
export async function withLinkTags(
  { tx, principal, nowMs }: Pick<RequestScope, 'tx' | 'principal' | 'nowMs'>,
  post: PostFields,
  { targets, time }: Tagging,
): Promise<PostFields> {
  const untagged = { ...post, linkTags: null }
  if (!mayHaveLinks(post)) return untagged
  const workspace = await findWorkspace(tx, principal.workspaceId)
  if (!workspace?.utm) return untagged
  const { utm: rule, timezone } = workspace
  const date = dayIn(time.timezone ?? timezone, time.at?.getTime() ?? nowMs)
  const accounts = targets.map(({ slug, platform, rules }) => {
    const title = writtenForChannel(post, slug).title ?? ''
    const { domains: _domains, ...tags } = resolveLinkTags(rule, { platform, account: slug, date, title }, rules)
    return [slug, tags] as const
  })
  return { ...post, linkTags: { domains: rule.domains, accounts: Object.fromEntries(accounts) } }
}

function mayHaveLinks({ text, thread, firstComment, linkUrl, platformOptions }: PostFields): boolean {
  return JSON.stringify([text, thread, firstComment, linkUrl, platformOptions]).includes('://')
}

/** The links of one channel that are sent with more than was written, for the answers of the API. */
export function linksOfChannel(post: PostFields, slug: string): { links?: string[] } {
  const tags = tagsForChannel(post, slug)
  const links = tags ? listTaggedLinks(writtenForChannel(post, slug), tags) : []
  return links.length > 0 ? { links } : {}
}
