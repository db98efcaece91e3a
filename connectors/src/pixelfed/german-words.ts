import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  visibility: {
    title: 'Wer den Beitrag sehen kann',
    description: 'Wer den Beitrag auf Pixelfed sehen darf.',
    choices: { public: 'Alle', unlisted: 'Alle, aber nicht in öffentlichen Listen', private: 'Nur Follower' },
  },
  spoiler: {
    title: 'Inhaltswarnung',
    description: 'Die Bilder sind verdeckt, bis jemand sie öffnet; dies steht davor.',
  },
  comments: {
    title: 'Kommentare',
    description: 'Ob der Beitrag kommentiert werden kann.',
    choices: { open: 'Erlaubt', closed: 'Nicht erlaubt' },
  },
}
