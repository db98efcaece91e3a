import { UsageError } from '../cli-error.ts'
import type { Account } from './find-accounts.ts'

type SettingsBySlug = Record<string, Record<string, unknown>>

/** Fields of a post, which are texts whatever they look like. */
const textFields: ReadonlySet<string> = new Set(['text', 'title', 'firstComment', 'linkUrl', 'contentFormat', 'splitLongText'])

/**
 * Reads `tower-news.visibility=unlisted`: a platform, which means each chosen account on it, or the slug of one account; then a setting. The value
 * is JSON if it can be read as JSON, and otherwise a text.
 */
export function readSettings(given: readonly string[], accounts: readonly Account[]): SettingsBySlug {
  const settings: SettingsBySlug = {}
  for (const option of given) {
    const equals = option.indexOf('=')
    const [path, written] = [option.slice(0, equals), option.slice(equals + 1)]
    const owner = equals < 1 ? undefined : findOwner(path, accounts)
    const name = path.slice((owner ?? '').length + 1)
    if (owner === undefined || name === '')
      throw new UsageError(
        `--option ${option}: write PLATFORM.SETTING=VALUE or SLUG.SETTING=VALUE, for one of ${[...ownersOf(accounts)].join(', ')}.`,
      )
    const value = textFields.has(name) ? written : readValue(written)
    for (const { slug, platform } of accounts)
      if (slug === owner || platform === owner) settings[slug] = { ...settings[slug], [name]: value }
  }
  return settings
}

/** Slugs may have dots, so the longest name that fits is meant. */
function findOwner(path: string, accounts: readonly Account[]): string | undefined {
  return [...ownersOf(accounts)].filter((owner) => path.startsWith(`${owner}.`)).toSorted((a, b) => b.length - a.length)[0]
}

function ownersOf(accounts: readonly Account[]): Set<string> {
  return new Set(accounts.flatMap(({ slug, platform }) => (platform === null ? [slug] : [platform, slug])))
}

function readValue(written: string): unknown {
  try {
    return JSON.parse(written) as unknown
  } catch {
    return written
  }
}
