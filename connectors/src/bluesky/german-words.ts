import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  language: { title: 'Sprache', description: 'Die Sprache des Beitrags, zum Beispiel „de“ oder „pt-BR“.' },
}
