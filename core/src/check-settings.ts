import type { Manifest } from '@carillon/contract'
import type { Draft } from './draft.ts'
import { formatNumber } from './format-number.ts'
import type { Violation } from './violation.ts'

/** Lists what the settings of a post break beyond their schema: settings that exclude each other, and a cover after the end of the video. */
export function checkSettings({ settings = {}, medias }: Draft, manifest: Manifest): Violation[] {
  return [...checkConflicts(settings, manifest), ...checkCover({ settings, medias }, manifest)]
}

function checkConflicts(settings: Record<string, unknown>, { name, settingConflicts }: Manifest): Violation[] {
  return settingConflicts
    .filter(
      ({ setting, value, other, others }) =>
        settings[setting] === value && others.some((each) => each === (settings[other] ?? null)),
    )
    .map(({ setting, message }) => ({ code: 'setting_conflict', path: `settings.${setting}`, message: `${name}: ${message}` }))
}

function checkCover({ settings, medias }: Required<Pick<Draft, 'settings' | 'medias'>>, manifest: Manifest): Violation[] {
  const { name, coverSetting } = manifest
  const atSeconds = coverSetting === null ? undefined : settings[coverSetting]
  const seconds = medias.find(({ kind }) => kind === 'video')?.durationSeconds ?? null
  if (typeof atSeconds !== 'number' || seconds === null || atSeconds <= seconds) return []
  const message = `${name} takes the cover from the video, which lasts ${formatNumber(seconds)} s; this one is at ${formatNumber(atSeconds)} s.`
  return [{ code: 'cover_after_end', path: `settings.${coverSetting}`, message }]
}
