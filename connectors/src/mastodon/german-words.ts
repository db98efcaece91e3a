import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  visibility: {
    title: 'Wer den Beitrag sehen kann',
    description: 'Wer den Beitrag auf Mastodon sehen darf.',
    choices: {
      public: 'Alle',
      unlisted: 'Alle, aber nicht in öffentlichen Listen',
      private: 'Nur Follower',
      direct: 'Nur die erwähnten Personen',
    },
  },
  spoiler: {
    title: 'Inhaltswarnung',
    description: 'Steht anstelle des Beitrags, bis er geöffnet wird. Zählt zu seiner Länge.',
  },
}
