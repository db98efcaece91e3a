import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  mentions: {
    title: 'Wer benachrichtigt wird',
    description: 'Wen Erwähnungen im Text benachrichtigen.',
    choices: {
      nobody: 'Niemand',
      people: 'Erwähnte Personen und Rollen',
      everyone: 'Auch @everyone und @here',
    },
  },
  silent: { title: 'Ohne Ton', description: 'Mitglieder bekommen die Nachricht ohne Ton und ohne Hinweis auf dem Telefon.' },
  linkPreview: { title: 'Vorschau der Links', description: 'Discord zeigt unter dem Text eine Vorschau der Links.' },
  spoiler: { title: 'Spoiler', description: 'Bilder und Videos sind verdeckt, bis jemand sie öffnet.' },
}
