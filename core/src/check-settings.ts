import type { PlatformRules } from '@carillon/contract'
import type { Draft } from './draft.ts'
import { formatNumber } from './format-number.ts'
import type { Violation } from './violation.ts'

/** Lists what the settings of a post break beyond their schema: settings that exclude each other, and a cover after the end of the video. */
export function checkSettings({ settings = {}, medias }: Draft, manifest: PlatformRules): Violation[] {
  return [...checkConflicts(settings, manifest), ...checkCover({ settings, medias }, manifest)]
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
      params: { platform: name, other },
    }))
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
