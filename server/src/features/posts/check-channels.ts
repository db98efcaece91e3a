import { canComment, checkDraft, draftWarnings, fitFormat, formatWarnings, type ViolationCode } from '@carillon/core'
import type { LinkedAccount } from '../connections/find-connections.ts'
import type { Context } from '../../context.ts'
import type { Detail } from '../../infra/problem/problem.ts'
import { checkFiles } from './files/check-files.ts'
import { settingErrors } from './complete-settings.ts'
import { fieldsForChannel, type PostFields } from './post-fields.ts'
import { filesForChannel, noFiles, type PostFiles } from './files/post-files.ts'

/** One target of a post after the checks: the rules of its platform that the post breaks, and what the platform would leave out. */
export type CheckedChannel = {
  slug: string
  account: LinkedAccount
  needsStage: boolean
  hasComment: boolean
  /** How many files the channel shows, those that are still to be fetched included. */
  mediaCount: number
  violations: Detail[]
  warnings: string[]
}

/** Checks a post for every connection at once, so that one answer lists all problems. */
export function checkChannels(
  ctx: Context,
  post: PostFields,
  targets: readonly LinkedAccount[],
  files: PostFiles = noFiles,
): CheckedChannel[] {
  return targets.map((account, index) => {
    const connector = ctx.connectors[account.platform]
    const { manifest, needsStage } = connector
    const fields = fieldsForChannel(post, account.slug)
    const channelFiles = filesForChannel(files, account.slug)
    const format = fitFormat({ type: fields.type, format: fields.contentFormat }, manifest)
    const checkedFiles = checkFiles(channelFiles, format, manifest)
    const draft = { ...fields, format, text: fields.text ?? '', medias: checkedFiles.medias }
    const hasFilesToFetch = channelFiles.some(({ row }) => row === null)
    const ruleViolations = [
      ...checkDraft(draft, manifest).filter(({ code }) => !isCheckedElsewhere(code, hasFilesToFetch)),
      ...checkedFiles.violations,
    ].map(({ path, message }) => ({ path: fieldPath(path, { slug: account.slug, index }), message }))
    const settingViolations = settingErrors(connector, fields.settings).map((error) => ({
      path: settingPath(account.slug, error),
      message: `${manifest.name}: ${error.message}.`,
    }))
    return {
      slug: account.slug,
      account,
      needsStage: channelFiles.length > 0 || needsStage({ format, text: draft.text, replyTo: null }),
      hasComment: fields.firstComment !== null && canComment(draft, manifest),
      mediaCount: channelFiles.length,
      violations: [...ruleViolations, ...settingViolations],
      warnings: [
        ...formatWarnings(fields.contentFormat, format, manifest),
        ...draftWarnings(draft, manifest),
        ...checkedFiles.changes,
      ],
    }
  })
}

function fieldPath(path: string, { slug, index }: { slug: string; index: number }): string {
  return path.startsWith('settings.') ? path.replace('settings', `platformOptions.${slug}`) : `connections[${index}].${path}`
}

function settingPath(slug: string, error: { instancePath: string; params: unknown }): string {
  const named = error.params as { additionalProperties?: string[]; requiredProperties?: string[] }
  const name =
    named.additionalProperties?.[0] ?? named.requiredProperties?.[0] ?? error.instancePath.slice(1).replaceAll('/', '.')
  return `platformOptions.${slug}.${name}`
}

/** `checkFiles` checks the type and the length of the files, and the number of files is unknown while URLs remain to be fetched. */
function isCheckedElsewhere(code: ViolationCode, hasFilesToFetch: boolean): boolean {
  return code === 'media_type' || code === 'media_duration' || (hasFilesToFetch && code === 'media_missing')
}
