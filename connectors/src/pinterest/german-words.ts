import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  board: {
    title: 'Pinnwand',
    description: 'Der Name der Pinnwand, auf der der Pin gemerkt wird. Nötig, wenn das Konto mehr als eine hat.',
  },
  section: {
    title: 'Ordner',
    description: 'Der Name eines Ordners auf der Pinnwand.',
  },
  coverSeconds: {
    title: 'Titelbild',
    description: 'Der Zeitpunkt im Video, in Sekunden, dessen Bild zum Titelbild wird. Ohne Angabe ist es das erste Bild.',
  },
}
