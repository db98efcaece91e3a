import type { SettingWords } from '../kit/setting-words.ts'

/** The platform has no settings of its own. */
export const germanWords: SettingWords = {}
