import { checkDraft, draftWarnings, type ViolationCode } from '@carillon/core'
import type { LinkedAccount } from '../connections/find-connections.ts'
import type { Context } from '../../context.ts'
import type { Detail } from '../../infra/problem/problem.ts'
import { checkFiles } from './files/check-files.ts'
import { settingErrors } from './complete-settings.ts'
import { fieldsForChannel, type PostFields } from './post-fields.ts'
import { filesFor, noFiles, type PostFiles } from './files/post-files.ts'

/** One target of a post, judged: what its platform would refuse, and what it would leave out. */
export type CheckedChannel = {
  slug: string
  account: LinkedAccount
  needsStage: boolean
  hasComment: boolean
  violations: Detail[]
  warnings: string[]
}

/** Judges a post for every connection at once, so that a person hears of everything in one answer. */
export function checkChannels(
  ctx: Context,
  post: PostFields,
  targets: readonly LinkedAccount[],
  files: PostFiles = noFiles,
): CheckedChannel[] {
  return targets.map((account, at) => {
    const connector = ctx.connectors[account.platform]
    const { manifest, needsStage } = connector
    const fields = fieldsForChannel(post, account.slug)
    const shown = filesFor(files, account.slug)
    const judged = checkFiles(shown, fields.contentFormat, manifest)
    const draft = { ...fields, format: fields.contentFormat, text: fields.text ?? '', medias: judged.medias }
    const isAwaiting = shown.some(({ row }) => row === null)
    const broken = [
      ...checkDraft(draft, manifest).filter(({ code }) => !isBeyondJudging(code, isAwaiting)),
      ...judged.violations,
    ].map(({ path, message }) => ({ path: `connections[${at}].${path}`, message }))
    const unset = settingErrors(connector, fields.settings).map((error) => ({
      path: settingPath(account.slug, error),
      message: `${manifest.name}: ${error.message}.`,
    }))
    return {
      slug: account.slug,
      account,
      needsStage: shown.length > 0 || needsStage({ format: fields.contentFormat, text: draft.text, replyTo: null }),
      hasComment: fields.firstComment !== null && manifest.can.firstComment,
      violations: [...broken, ...unset],
      warnings: [...draftWarnings(draft, manifest), ...judged.changes],
    }
  })
}

function settingPath(slug: string, error: { instancePath: string; params: unknown }): string {
  const named = error.params as { additionalProperties?: string[]; requiredProperties?: string[] }
  const name =
    named.additionalProperties?.[0] ?? named.requiredProperties?.[0] ?? error.instancePath.slice(1).replaceAll('/', '.')
  return `platformOptions.${slug}.${name}`
}

/** The type and the number of files are known only for those at hand; a fitted file has no type of its own. */
function isBeyondJudging(code: ViolationCode, isAwaiting: boolean): boolean {
  return code === 'media_type' || (isAwaiting && code === 'media_missing')
}
