import type { Handover, PlatformRules } from '@carillon/contract'
import type { Draft } from './draft.ts'
import { formatCount, formatNumber } from './format-number.ts'
import type { Violation } from './violation.ts'

/** In a sentence. A program gets all of them. */
const offeredMax = 10

/**
 * Lists what the settings of a post break beyond their schema: ones that the account needs, values that it may not choose, settings that
 * exclude each other, advertising for nobody, lists that are too long as a whole, and a cover after the end of the video. Where a person finishes
 * the post in the app of the platform, the others do not count.
 */
export function checkSettings({ settings: given = {}, medias }: Draft, manifest: PlatformRules): Violation[] {
  const { handover } = manifest
  const settings = handover && isHandedOver(given, handover) ? { [handover.setting]: handover.value } : given
  return [
    ...checkNeeds(settings, manifest),
    ...checkChoices(settings, manifest),
    ...checkConflicts(settings, manifest),
    ...checkDisclosure(settings, manifest),
    ...checkLists(settings, manifest),
    ...checkCover({ settings, medias }, manifest),
  ]
}

/** Whether a post with these settings is put into the app of the platform, where a person finishes it. */
export function isHandedOver(settings: Readonly<Record<string, unknown>> = {}, handover: Handover | null = null): boolean {
  return handover !== null && settings[handover.setting] === handover.value
}

function checkNeeds(settings: Record<string, unknown>, { name, needs = [], choices = {} }: PlatformRules): Violation[] {
  return needs
    .filter((setting) => settings[setting] === undefined)
    .map((setting) => {
      const allowed = choices[setting]
      const offered = allowed
        ? `; it offers ${allowed.slice(0, offeredMax).join(', ')}${allowed.length > offeredMax ? ', …' : ''}`
        : ''
      const message = `${name} needs to know the ${setting} for this account, which has more than one${offered}.`
      const params = { platform: name, setting, ...(allowed && { allowed }) }
      return { code: 'setting_needed', path: `settings.${setting}`, message, params }
    })
}

function checkChoices(settings: Record<string, unknown>, { name, choices = {} }: PlatformRules): Violation[] {
  return Object.entries(choices).flatMap(([setting, allowed]): Violation[] => {
    const value = settings[setting]
    if (value === undefined || allowed.some((each) => each === value)) return []
    const message = `${name} does not offer this account ${setting} ${JSON.stringify(value)}; it offers ${allowed.join(', ')}.`
    return [{ code: 'setting_not_offered', path: `settings.${setting}`, message, params: { platform: name, value, allowed } }]
  })
}

function checkConflicts(settings: Record<string, unknown>, { name, settingConflicts = [] }: PlatformRules): Violation[] {
  return settingConflicts
    .filter(
      ({ setting, value, other, others }) =>
        settings[setting] === value && others.some((each) => each === (settings[other] ?? null)),
    )
    .map(({ setting, other, message }) => ({
      code: 'setting_conflict',
      path: `settings.${setting}`,
      message: `${name}: ${message}`,
      params: { platform: name, other, isChosen: settings[other] !== undefined },
    }))
}

function checkDisclosure(settings: Record<string, unknown>, { name, disclosure = null }: PlatformRules): Violation[] {
  if (disclosure === null || settings[disclosure.setting] !== true) return []
  if (disclosure.kinds.some((kind) => settings[kind] === true)) return []
  const message = `${name}: You need to indicate if your content promotes yourself, a third party, or both.`
  const params = { platform: name, kinds: disclosure.kinds }
  return [{ code: 'disclosure_incomplete', path: `settings.${disclosure.setting}`, message, params }]
}

function checkLists(settings: Record<string, unknown>, { name, listLimits = [] }: PlatformRules): Violation[] {
  return listLimits.flatMap(({ setting, max, between, forSpaces }): Violation[] => {
    const value = settings[setting]
    const words = Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []
    const lengths = words.map((word) => word.length + (word.includes(' ') ? forSpaces : 0))
    const actual = lengths.reduce((sum, length) => sum + length, between * Math.max(0, words.length - 1))
    if (actual <= max) return []
    const message = `${name} takes ${setting} of at most ${formatCount(max, 'character')} together; these have ${formatNumber(actual)}.`
    const params = { platform: name, limit: max, actual, unit: 'character' }
    return [{ code: 'setting_too_long', path: `settings.${setting}`, message, params }]
  })
}

function checkCover({ settings, medias }: Required<Pick<Draft, 'settings' | 'medias'>>, manifest: PlatformRules): Violation[] {
  const { name, coverSetting = null } = manifest
  const atSeconds = coverSetting === null ? undefined : settings[coverSetting]
  const seconds = medias.find(({ kind }) => kind === 'video')?.durationSeconds ?? null
  if (typeof atSeconds !== 'number' || seconds === null || atSeconds <= seconds) return []
  const message = `${name} takes the cover from the video, which lasts ${formatNumber(seconds)} s; this one is at ${formatNumber(atSeconds)} s.`
  const params = { platform: name, limit: seconds, actual: atSeconds, unit: 'second' }
  return [{ code: 'cover_after_end', path: `settings.${coverSetting}`, message, params }]
}
