import { checkDraft, draftWarnings, type ViolationCode } from '@carillon/core'
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
    const checkedFiles = checkFiles(channelFiles, fields.contentFormat, manifest)
    const draft = { ...fields, format: fields.contentFormat, text: fields.text ?? '', medias: checkedFiles.medias }
    const hasFilesToFetch = channelFiles.some(({ row }) => row === null)
    const ruleViolations = [
      ...checkDraft(draft, manifest).filter(({ code }) => !cannotCheckYet(code, hasFilesToFetch)),
      ...checkedFiles.violations,
    ].map(({ path, message }) => ({ path: `connections[${index}].${path}`, message }))
    const settingViolations = settingErrors(connector, fields.settings).map((error) => ({
      path: settingPath(account.slug, error),
      message: `${manifest.name}: ${error.message}.`,
    }))
    return {
      slug: account.slug,
      account,
      needsStage: channelFiles.length > 0 || needsStage({ format: fields.contentFormat, text: draft.text, replyTo: null }),
      hasComment: fields.firstComment !== null && manifest.can.firstComment,
      mediaCount: channelFiles.length,
      violations: [...ruleViolations, ...settingViolations],
      warnings: [...draftWarnings(draft, manifest), ...checkedFiles.changes],
    }
  })
}

function settingPath(slug: string, error: { instancePath: string; params: unknown }): string {
  const named = error.params as { additionalProperties?: string[]; requiredProperties?: string[] }
  const name =
    named.additionalProperties?.[0] ?? named.requiredProperties?.[0] ?? error.instancePath.slice(1).replaceAll('/', '.')
  return `platformOptions.${slug}.${name}`
}

/**
 * Some rules cannot be checked yet: the number of files is unknown while URLs remain to be fetched, and the MIME type is unknown because
 * a file may still be converted.
 */
function cannotCheckYet(code: ViolationCode, hasFilesToFetch: boolean): boolean {
  return code === 'media_type' || (hasFilesToFetch && code === 'media_missing')
}
