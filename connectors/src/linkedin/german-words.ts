import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  visibility: {
    title: 'Wer den Beitrag sehen kann',
    description: 'Wer den Beitrag auf LinkedIn sehen darf.',
    choices: { PUBLIC: 'Alle', CONNECTIONS: 'Deine Kontakte', LOGGED_IN: 'Alle, die bei LinkedIn angemeldet sind' },
  },
  mentions: {
    title: 'Erwähnte Seiten',
    description:
      'Die Seiten, auf die „@Name“ im Text verweist: der genaue Name und die Nummer aus der Adresse der Verwaltung der Seite.',
  },
}
