import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  tags: {
    title: 'Schlagwörter',
    description: 'Bis zu 30 Wörter mit Kommas dazwischen. Sie stehen unter dem Beitrag, und man findet ihn über sie.',
  },
  sourceUrl: {
    title: 'Quelle',
    description: 'Die Adresse, von der der Inhalt stammt. Tumblr nennt sie unter dem Beitrag.',
  },
  reblogs: {
    title: 'Wer rebloggen darf',
    description: 'Ob andere den Beitrag auf ihren eigenen Blogs zeigen dürfen.',
    choices: { everyone: 'Alle', noone: 'Niemand' },
  },
}
