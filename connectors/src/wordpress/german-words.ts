import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  tags: {
    title: 'Schlagwörter',
    description: 'Wörter mit Kommas dazwischen. Was die Website noch nicht hat, wird angelegt.',
  },
  categories: {
    title: 'Kategorien',
    description:
      'Namen von Kategorien, die es auf der Website gibt, mit Kommas dazwischen. Ohne eine nimmt sie ihre übliche Kategorie.',
  },
  excerpt: {
    title: 'Textauszug',
    description: 'Eine Zusammenfassung für Listen und Suchmaschinen. Ohne sie nimmt WordPress den Anfang des Textes.',
  },
  featuredImage: {
    title: 'Erstes Bild als Beitragsbild',
    description: 'Das Theme der Website zeigt es über dem Beitrag und in Listen. Sonst stehen alle Bilder im Beitrag.',
  },
  comments: {
    title: 'Kommentare',
    description: 'Ob der Beitrag kommentiert werden kann.',
    choices: { site: 'Wie auf der Website eingestellt', open: 'Erlaubt', closed: 'Nicht erlaubt' },
  },
}
