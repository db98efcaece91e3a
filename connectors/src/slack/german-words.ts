import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  linkPreview: {
    title: 'Vorschau der Links',
    description: 'Slack zeigt unter dem Text eine Vorschau der Links. Beiträge mit Dateien haben keine.',
  },
  markup: {
    title: 'Auszeichnungen',
    description: 'Slack zeigt *fett*, _kursiv_ und Emojis wie :tada: als solche. Beiträge mit Dateien immer.',
  },
}
