import { checkDraft, draftWarnings, resolveSchedule, type Violation } from '@carillon/core'
import { fileChanges } from './file-changes.ts'
import type { Capabilities, Connection, ErrorDetail, Issue, PlatformInfo, Workspace } from '@carillon/sdk'
import { fieldOf, sentDraft } from './channel-draft.ts'
import { allFiles, type ComposeState } from './compose-state.ts'
import { isWebAddress } from './post-change.ts'

/** A chosen account. `platform` has the rules that hold for it: its own, where they are known. */
export type Account = {
  slug: string
  connection: Connection
  platform: PlatformInfo & { choices?: Capabilities['choices'] }
  /** Null until the server has answered, and if it cannot. */
  capabilities: Capabilities | null
  /** What the workspace adds to links; null if nothing. */
  linkRule: NonNullable<Workspace['utm']> | null
}

/** Something that is wrong with a field, or that a platform will do differently. */
export type Finding = {
  /** The account; null if it concerns the whole post. */
  slug: string | null
  /** `text`, `medias[0]`, `settings.privacyLevel`, … */
  path: string
  code: string
  message: string
  params: Readonly<Record<string, unknown>>
  isBlocking: boolean
}

// The server converts files: what it can mend, it reports as a change. Ratio, length and number of pages cannot be mended.
const convertedCodes = new Set(['media_type', 'media_too_large', 'media_too_large_together', 'media_pixels', 'media_width'])

/** What only the server can tell about a file. */
const fileCodes = new Set(['media_unusable', 'media_converted'])

/** What is missing or on its way is said only after an attempt to publish: an empty page has no errors, and an upload shows its progress. */
const missingCodes = new Set([
  'text_missing',
  'media_missing',
  'connections_missing',
  'schedule_missing',
  'files_uploading',
  'audience_unchosen',
])

export function isMissing({ code, params }: Finding): boolean {
  // "Takes no text alone" is a rule of the platform, and is known before anything is published.
  return missingCodes.has(code) && !(code === 'media_missing' && params['platform'] !== undefined)
}

/** Checks the post with the same rules as the server. */
export function checkPost(state: ComposeState, accounts: readonly Account[], nowMs: number): Finding[] {
  const found = accounts.flatMap((account) => {
    const { slug, platform, capabilities } = account
    const draft = sentDraft(state, account)
    const broken = checkDraft(draft, platform).filter((rule) => !convertedCodes.has(rule.code) && !isOnlyUnchosen(rule))
    const blocked = capabilities?.blocked ?? null
    const left = draftWarnings(draft, platform)
    return [
      ...(blocked ? [toBlocked(slug, platform.name, blocked.message)] : []),
      ...broken.map((rule) => ({ ...atFiles(rule), slug, isBlocking: true })),
      // The server publishes such a post with a warning; here there is somebody who can be asked.
      ...[...left, ...fileChanges(draft, platform)].map((warning) => ({
        ...warning,
        slug,
        isBlocking: warning.code === 'audience_unchosen',
      })),
    ]
  })
  return [...checkWhole(state, nowMs), ...found]
}

function toBlocked(slug: string, platform: string, message: string): Finding {
  return { slug, path: 'connections', code: 'account_blocked', message, params: { platform }, isBlocking: true }
}

/** A setting that is in the way of another one only because that one is not chosen yet: then it is asked for, and that is enough. */
function isOnlyUnchosen({ code, params }: Violation): boolean {
  return code === 'setting_conflict' && params['isChosen'] === false
}

/** A platform that takes no text alone wants a file: that is said where files are added, not at the kind of post. */
function atFiles(rule: Violation): Violation {
  return rule.code === 'format_not_taken' && rule.params['format'] === 'text'
    ? { ...rule, code: 'media_missing', path: 'medias' }
    : rule
}

function checkWhole(state: ComposeState, nowMs: number): Finding[] {
  const { accounts, when, common, files } = state
  const whole = (path: string, code: string): Finding => ({ slug: null, path, code, message: '', params: {}, isBlocking: true })
  const findings: Finding[] = []
  if (accounts.length === 0) findings.push(whole('connections', 'connections_missing'))
  if (accounts.length === 0 && common.text.trim() === '' && files.length === 0) findings.push(whole('text', 'text_missing'))
  for (const slug of [null, ...accounts]) {
    const link = fieldOf(state, slug, 'linkUrl')
    const isOwn = slug === null || state.own[slug]?.linkUrl !== undefined
    if (isOwn && link !== '' && !isWebAddress(link)) findings.push({ ...whole('linkUrl', 'link_invalid'), slug })
  }
  if (when.isLater) {
    const resolved = when.wall === '' ? null : resolveSchedule({ scheduledAt: when.wall, timezone: when.zone }, nowMs)
    if (resolved === null) findings.push(whole('scheduledAt', 'schedule_missing'))
    else if (!resolved.ok) findings.push({ ...whole(resolved.path, resolved.code), message: resolved.message })
    else if (resolved.at === 'now') findings.push(whole('scheduledAt', 'schedule_past'))
  }
  const everyFile = allFiles(state)
  if (everyFile.some(({ mediaId, problem }) => mediaId === null && problem === null))
    findings.push(whole('medias', 'files_uploading'))
  if (everyFile.some(({ problem }) => problem !== null)) findings.push(whole('medias', 'files_failed'))
  return findings
}

/** Whether the time can be sent: the server refuses a draft whose time has passed. */
export function canSchedule({ when }: ComposeState, nowMs: number): boolean {
  const resolved = when.wall === '' ? null : resolveSchedule({ scheduledAt: when.wall, timezone: when.zone }, nowMs)
  return resolved !== null && resolved.ok && resolved.at !== 'now'
}

/** What the server found. `slugs` are the accounts of the draft that it checked, in their order. */
export function readDetails(details: readonly (ErrorDetail | Issue)[], slugs: readonly string[]): Finding[] {
  return details.map((detail) => {
    const { code, message, params } = detail
    const isBlocking = 'blocking' in detail ? detail.blocking : true
    return { ...placeOf(detail.path, slugs), code, message, params, isBlocking }
  })
}

/** Findings of the server that this page cannot make itself. */
export function onlyFromServer(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ path, code }) => fileCodes.has(code) || path.startsWith('settings.') || !knownHere.test(code))
}

const knownHere = /^(text|first_comment|thread|format|media|alt|title|link|connections|schedule|ai_label)_/

const fieldNames = new Set(['text', 'title', 'firstComment', 'thread', 'linkUrl', 'contentFormat', 'medias', 'mediaOptions'])

function placeOf(path: string, slugs: readonly string[]): { slug: string | null; path: string } {
  const atIndex = /^connections\[(\d+)\](?:\.(.*))?$/.exec(path)
  if (atIndex) return { slug: slugs[Number(atIndex[1])] ?? null, path: atIndex[2] ?? 'connections' }
  const slug = slugs.find((each) => path.startsWith(`platformOptions.${each}.`))
  if (slug === undefined) return { slug: null, path }
  const name = path.slice(`platformOptions.${slug}.`.length)
  return { slug, path: fieldNames.has(/^\w+/.exec(name)?.[0] ?? '') ? name : `settings.${name}` }
}

/** The findings to show at a field: of the whole post, and of the account whose tab is open, or of all in the common tab. */
export function findingsAt(findings: readonly Finding[], path: string, tab: string | null): Finding[] {
  return findings.filter((finding) => finding.path === path && (tab === null || finding.slug === null || finding.slug === tab))
}
