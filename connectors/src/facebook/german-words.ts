import type { SettingWords } from '../kit/setting-words.ts'

/** Facebook has no settings yet. */
export const germanWords: SettingWords = {}
