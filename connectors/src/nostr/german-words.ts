import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  contentWarning: {
    title: 'Inhaltswarnung',
    description: 'Apps verbergen den Beitrag hinter diesen Worten, bis eine Person ihn sehen will.',
  },
}
