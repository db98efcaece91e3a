import type { Channel, Post } from '@carillon/sdk'
import type { Links } from '../links.ts'
import { cleanText, limitThirdParty, type ThirdPartyText } from './third-party.ts'
import { writeTime } from './times.ts'

type AccountResult = {
  account: string
  status: Channel['result']['status']
  url?: string
  at?: string
  error?: string
  next?: string
}

export type DescribedPost = {
  summary: string
  next: string
  post: { id: string; status: Post['status']; when?: string; link: string; accounts: AccountResult[] }
  untrusted: ThirdPartyText[]
}

export type PostView = { timezone: string; links: Links; detail?: boolean }

const slugsMax = 10
const excerptMax = 140
const textMax = 6000
const platformTextMax = 500

/** Everything that a model is told about one post. The first sentence is its state and cannot be read in two ways. */
export function describePost(post: Post, view: PostView): DescribedPost {
  const timezone = post.timezone ?? view.timezone
  const at = post.scheduledAt ?? null
  return {
    summary: stateOf(post, timezone),
    next: nextStepOf(post, view.links),
    post: {
      id: post.uploadId,
      status: post.status,
      ...(at !== null && { when: writeTime(at, timezone) }),
      link: view.links.post(post.uploadId),
      accounts: post.channels.map((channel) => describeChannel(channel, timezone)),
    },
    untrusted: thirdPartyOf(post, view.detail === true),
  }
}

/** One line of a list. */
export function describeBriefly(post: Post, view: PostView): { id: string; state: string; untrustedExcerpt: string } {
  const excerpt = cleanText(post.title || post.text || '', { max: excerptMax })
  return { id: post.uploadId, state: stateOf(post, post.timezone ?? view.timezone), untrustedExcerpt: excerpt }
}

/** The state of a post in words. What may go wrong if it is misread comes first. */
function stateOf(post: Pick<Post, 'status' | 'channels' | 'scheduledAt' | 'publishedAt' | 'approval'>, timezone: string): string {
  const { status, channels, approval } = post
  const total = channels.length
  const planned = post.scheduledAt === null ? null : writeTime(post.scheduledAt, timezone)
  if (status === 'draft' && approval?.state === 'pending')
    return `WAITING FOR APPROVAL: nothing was published and nothing is scheduled. ${planned === null ? 'It is published when a person approves it' : `A person must approve it; it is then published at ${planned}`}.`
  if (status === 'draft' && approval?.state === 'changes_requested')
    return 'RETURNED with a request for changes: nothing was published and nothing is scheduled.'
  if (status === 'draft')
    return `DRAFT: nothing was published and nothing is scheduled.${planned === null ? '' : ` It is planned for ${planned}, but only publish_post schedules it.`}`
  if (status === 'scheduled')
    return `SCHEDULED for ${planned ?? 'its time'} on ${countAccounts(total)}: ${slugsOf(channels)}. Nothing was published yet.`
  const of = (...statuses: readonly Channel['result']['status'][]) =>
    channels.filter(({ result }) => statuses.includes(result.status))
  const [published, failed, unknown, waiting] = [
    of('success'),
    of('failed', 'canceled'),
    of('unconfirmed'),
    of('pending', 'publishing'),
  ]
  const sentences = [
    unknown.length > 0 &&
      `UNKNOWN on ${slugsOf(unknown)}: the post may be published there, the platform's answer was lost. Do not publish or retry it.`,
    waiting.length > 0 && `IN PROGRESS on ${slugsOf(waiting)}: not finished yet. Do not publish again.`,
    published.length > 0 && `PUBLISHED on ${shareOf(published, total)}: ${slugsOf(published)}.`,
    failed.length > 0 && `FAILED on ${shareOf(failed, total)}: ${listed(failed, failureOf)}.`,
    failed.length > 0 && !failed.some(isPartlyLive) && `Nothing was published${failed.length === total ? '' : ' there'}.`,
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}

function failureOf({ connection, result }: Channel): string {
  const parts = result.parts ?? []
  const live = parts.filter(({ status }) => status === 'success').length
  const isLive = live > 0 ? `; the first ${live} of ${parts.length} posts of the thread are published` : ''
  return `${connection} (${codeOf(result.error?.code)}${isLive})`
}

function isPartlyLive({ result }: Channel): boolean {
  return result.parts?.some(({ status }) => status === 'success') ?? false
}

function codeOf(code: string | undefined): string {
  return code !== undefined && /^[a-z_]{1,60}$/.test(code) ? code : 'no reason given'
}

function slugsOf(channels: readonly Channel[]): string {
  return listed(channels, ({ connection }) => connection)
}

function listed(channels: readonly Channel[], name: (channel: Channel) => string): string {
  const more = channels.length > slugsMax ? ` and ${channels.length - slugsMax} more` : ''
  return `${channels.slice(0, slugsMax).map(name).join(', ')}${more}`
}

function countAccounts(count: number): string {
  return count === 1 ? '1 account' : `${count} accounts`
}

/** `1 account`, `all 3 accounts` or `2 of 3 accounts`. */
function shareOf(channels: readonly Channel[], total: number): string {
  if (channels.length < total) return `${channels.length} of ${countAccounts(total)}`
  return total === 1 ? countAccounts(total) : `all ${countAccounts(total)}`
}

function nextStepOf({ status, channels, uploadId, approval }: Post, links: Links): string {
  if (status === 'draft' && approval?.state === 'pending')
    return `Only a person who signs in can approve it, at ${approval.link?.url ?? links.post(uploadId)}: give them this link. Do not publish it in another way; a change ends the request.`
  if (status === 'draft' && approval?.state === 'changes_requested')
    return `The comment is at ${links.post(uploadId)}. Change the draft with save_draft, and submit it again.`
  if (status === 'draft') return 'Show the person the text; publish_post with this id publishes it after their yes.'
  if (status === 'scheduled') return 'It is published by itself at that time. change_schedule moves it or makes it a draft again.'
  const has = (wanted: Channel['result']['status']) => channels.some(({ result }) => result.status === wanted)
  const steps = [
    has('unconfirmed') &&
      `Only a person can find out what happened: ask them to look at the account and to set the outcome at ${links.post(uploadId)}. No tool can do this.`,
    (has('pending') || has('publishing')) && 'Call get_post with this id and waitSeconds to see the result.',
    has('failed') && 'See `next` of each failed account.',
  ].filter((step) => step !== false)
  return steps.length > 0 ? steps.join(' ') : 'Nothing is left to do.'
}

const nextByAction: Readonly<Record<string, string>> = {
  fix_request: 'Sending the same again fails again: save a changed version as a new post.',
  reconnect: 'A person must connect this account again on the page Integrations; then retry_post sends it.',
  retry: 'retry_post sends it again.',
  wait: 'Wait for an hour, then retry_post sends it again.',
  check_platform: 'A person must look at the account on the platform first.',
  upgrade_plan: 'The limit of the plan is reached; tell the person.',
  contact_support: 'retry_post may help; if not, the operator of this Carillon must look at it.',
}

function describeChannel({ connection, result }: Channel, timezone: string): AccountResult {
  const { status, postUrl, publishedAt, error, waiting } = result
  const waits =
    waiting && `Waits: ${waiting.reason}${waiting.until === null ? '' : ` until ${writeTime(waiting.until, timezone)}`}.`
  const next = status === 'failed' ? nextByAction[error?.action ?? ''] : waits
  return {
    account: connection,
    status,
    ...(postUrl !== null && { url: cleanText(postUrl, { max: 300 }) }),
    ...(publishedAt !== null && { at: writeTime(publishedAt, timezone) }),
    ...(error !== null && { error: codeOf(error.code) }),
    ...(next && { next }),
  }
}

/**
 * What others wrote: the text of the post and everything that quotes a platform. Our own sentence about a refusal may quote it too, and a
 * server of one person can send any text as its error code, so neither counts as ours.
 */
function thirdPartyOf(post: Post, isDetailed: boolean): ThirdPartyText[] {
  const fromPlatforms = post.channels.flatMap(({ connection, result: { error, warnings } }) => {
    const words = [error?.message, error?.platformMessage, error?.platformCode, ...warnings].filter(
      (text) => typeof text === 'string',
    )
    const distinct = words.filter((text, index) => !words.slice(0, index).some((earlier) => earlier.includes(text)))
    return distinct.length > 0 ? [{ from: `platform of ${connection}`, text: distinct.join('\n') }] : []
  })
  const thread = [post.text ?? '', ...(post.thread ?? []).map(({ text }, index) => `(post ${index + 2} of the thread)\n${text}`)]
  const whole = [
    { from: 'title of the post', text: cleanText(post.title ?? '', { max: platformTextMax }) },
    { from: 'text of the post', text: thread.join('\n') },
    { from: 'first comment', text: cleanText(post.firstComment?.text ?? '', { max: platformTextMax, hasLines: true }) },
  ]
  const beginning = [{ from: 'beginning of the post', text: cleanText(post.title || post.text || '', { max: excerptMax }) }]
  return [...limitThirdParty(isDetailed ? whole : beginning, textMax), ...limitThirdParty(fromPlatforms, platformTextMax)]
}
