import { writeWarning, type Detail, type SplitLongText } from '@carillon/contract'
import { canComment, checkDraft, draftWarnings, fitFormat, formatWarnings, splitDraft, type ViolationCode } from '@carillon/core'
import type { LinkedAccount } from '../connections/find-connections.ts'
import type { Context } from '../../context.ts'
import { checkFiles } from './files/check-files.ts'
import { settingProblems } from './complete-settings.ts'
import { fieldsForChannel, tagsForChannel, writtenForChannel, type PostFields } from './post-fields.ts'
import { filesForChannel, noFiles, type PostFiles } from './files/post-files.ts'

/** One target of a post after the checks: the rules of its platform that the post breaks, and what the platform would leave out. */
export type CheckedChannel = {
  slug: string
  account: LinkedAccount
  needsStage: boolean
  hasComment: boolean
  /** How many posts follow the first as a thread. */
  threadParts: number
  /** How many files the channel shows, those that are still to be fetched included. */
  mediaCount: number
  violations: Detail[]
  warnings: Detail[]
}

type PostParts = { files?: PostFiles; dueAt?: Date | null }

/** Checks a post for every connection at once, by the rules of its account, so that one answer lists all problems. */
export function checkChannels(
  ctx: Context,
  post: PostFields,
  targets: readonly LinkedAccount[],
  { files = noFiles, dueAt = null }: PostParts = {},
): CheckedChannel[] {
  return targets.map((account, index) => {
    const connector = ctx.connectors[account.platform]
    const { needsStage } = connector
    const { rules } = account
    const fields = fieldsForChannel(post, account.slug)
    const channelFiles = filesForChannel(files, account.slug)
    const format = fitFormat({ type: fields.type, format: fields.contentFormat }, rules)
    const checkedFiles = checkFiles(channelFiles, format, rules)
    const draft = { ...fields, format, text: fields.text ?? '', medias: checkedFiles.medias }
    const hasFilesToFetch = channelFiles.some(({ row }) => row === null)
    const ofConnection = (found: Detail): Detail => ({ ...found, path: fieldPath(found.path, { slug: account.slug, index }) })
    const ruleViolations = checkDraft(draft, rules).filter(({ code }) => !isCheckedElsewhere(code, hasFilesToFetch))
    const settingViolations = settingProblems(connector, fields.settings).map(
      ({ path, code = 'invalid', message, params = {} }): Detail => ({
        path: `platformOptions.${account.slug}.${path}`,
        code,
        message: `${rules.name}: ${message}`,
        params: { ...params, platform: rules.name },
      }),
    )
    return {
      slug: account.slug,
      account,
      needsStage: channelFiles.length > 0 || needsStage({ format, text: draft.text, linkUrl: fields.linkUrl, replyTo: null }),
      threadParts: rules.can.thread ? (fields.thread?.length ?? 0) : 0,
      hasComment: fields.firstComment !== null && canComment(draft, rules),
      mediaCount: channelFiles.length,
      violations: [...[...ruleViolations, ...checkedFiles.violations].map(ofConnection), ...settingViolations],
      warnings: [
        ...[...formatWarnings(fields.contentFormat, format, rules), ...draftWarnings(draft, rules), ...checkedFiles.changes].map(
          ofConnection,
        ),
        ...expiryWarnings(account, { path: `connections[${index}]`, name: rules.name, dueAt }),
      ],
    }
  })
}

/**
 * Makes threads of the texts that are too long for their accounts, all of them or those for which it was done before. They are stored with the
 * post as the accounts' own, so that a later release, which may cut elsewhere, sends what this one checked.
 */
export function splitLongTexts(
  post: PostFields,
  targets: readonly LinkedAccount[],
  wanted: SplitLongText | undefined,
): PostFields {
  // Accounts of one platform mostly have the same text.
  const known = new Map<string, ReturnType<typeof splitDraft>>()
  const own = targets.flatMap(({ slug, platform, rules }) => {
    const options = post.platformOptions[slug] ?? {}
    const how = wanted ?? options.splitLongText
    if (how === undefined) return []
    const fields = writtenForChannel(post, slug)
    const tags = tagsForChannel(post, slug)
    const format = fitFormat({ type: fields.type, format: fields.contentFormat }, rules)
    const draft = { ...fields, format, text: fields.text ?? '', medias: [] }
    if (!rules.can.thread) return []
    const key = JSON.stringify([platform, rules.text, how, draft, tags])
    // Null if the text fits as it is, which is known too.
    if (!known.has(key)) known.set(key, splitDraft(draft, rules, { isNumbered: how === 'numbered', tags }))
    const made = known.get(key)
    if (!made) return []
    // What was made of an account's own text is its own from now on.
    const isOwn = typeof options.text === 'string' || Array.isArray(options.thread)
    const { splitLongText: _before, ...rest } = options
    return [[slug, { ...rest, ...made, ...(!isOwn && { splitLongText: how }) }] as const]
  })
  return own.length === 0 ? post : { ...post, platformOptions: { ...post.platformOptions, ...Object.fromEntries(own) } }
}

function fieldPath(path: string, { slug, index }: { slug: string; index: number }): string {
  return path.startsWith('settings.') ? path.replace('settings', `platformOptions.${slug}`) : `connections[${index}].${path}`
}

/** A permission that only the account's owner can renew may end before the post is due. */
function expiryWarnings(
  { slug, permissionEndsAt }: LinkedAccount,
  { path, name, dueAt }: { path: string; name: string; dueAt: Date | null },
): Detail[] {
  if (permissionEndsAt === null || dueAt === null || permissionEndsAt >= dueAt) return []
  const day = permissionEndsAt.toISOString().slice(0, 10)
  const message = writeWarning('connection_expires', { connection: slug, day, platform: name })
  return [
    {
      path,
      code: 'connection_expires',
      message,
      params: { platform: name, connection: slug, at: permissionEndsAt.toISOString() },
    },
  ]
}

/** `checkFiles` checks the type and the length of the files, and the number of files is unknown while URLs remain to be fetched. */
function isCheckedElsewhere(code: ViolationCode, hasFilesToFetch: boolean): boolean {
  return code === 'media_type' || code === 'media_duration' || (hasFilesToFetch && code === 'media_missing')
}
