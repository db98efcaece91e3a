import { listSettings, type ListedSetting } from './list-settings.ts'
import { groups } from './setting.ts'
import { settings } from './settings.ts'

export type SettingGroup = { title: string; settings: ListedSetting[] }

/** Every setting under the title of its group, for the documentation. */
export function describeSettings(): SettingGroup[] {
  const all = listSettings(settings)
  return groups.map((title) => ({ title, settings: all.filter(({ setting }) => setting.group === title) }))
}
